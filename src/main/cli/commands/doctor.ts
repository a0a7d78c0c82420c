import type { CommandDeclaration } from '../declaration.ts'
import { json } from './flags.ts'

export const doctor: CommandDeclaration = {
  name: 'doctor',
  summary: 'explain what is wrong with this installation; exit code 1 when something is',
  flags: { json },
  run: async (line) => (await import('../doctor.ts')).doctor(line),
}
