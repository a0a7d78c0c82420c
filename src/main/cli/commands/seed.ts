import type { CommandDeclaration } from '../declaration.ts'
import { wholeNumber } from '../values.ts'
import { json, organization } from './flags.ts'

/** The clinic's patient numbers have seven digits. */
const MAX = 9_999_999

export const seed: CommandDeclaration = {
  name: 'seed',
  summary: 'add made-up patients, coverages and appointments to an organization, to try things on',
  flags: {
    organization,
    patients: { value: 'number', summary: 'how many patients; 200 without it', check: wholeNumber(1, MAX) },
    appointments: { value: 'number', summary: 'how many appointments; 1000 without it', check: wholeNumber(0, MAX) },
    json,
  },
  examples: ['anteroom seed --organization sandbox --patients 1000 --appointments 5000'],
  run: async (line) => (await import('../seed.ts')).seed(line),
}
