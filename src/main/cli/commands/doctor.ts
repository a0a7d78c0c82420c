import type { CommandDeclaration } from '../program/declaration.ts'
import { json } from './flags.ts'

export const doctor: CommandDeclaration = {
  name: 'doctor',
  summary: 'report problems of this installation; exit code 1 if there are any',
  flags: { json },
  run: async (line) => (await import('../doctor.ts')).doctor(line),
}
