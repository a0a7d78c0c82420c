export const roleNames: Record<string, string> = {
  front_desk: 'Front desk',
  billing: 'Billing',
  administrator: 'Administrator',
  read_only: 'Read only',
}
