import type { User } from '../api/generated.ts'

export const roleNames: Record<User['role'], string> = {
  front_desk: 'Front desk',
  billing: 'Billing',
  administrator: 'Administrator',
  read_only: 'Read only',
}
