import type { CommandDeclaration } from '../program/declaration.ts'
import { wholeNumber } from '../program/values.ts'
import { anyOrganization, json } from './flags.ts'

/** The clinic's patient numbers have seven digits. */
const MAX = 9_999_999

export const seed: CommandDeclaration = {
  name: 'seed',
  summary: 'add invented patients, coverages and appointments to an organization, for trials',
  flags: {
    organization: anyOrganization,
    patients: { value: 'number', summary: 'the number of patients (default 200)', check: wholeNumber(1, MAX) },
    appointments: { value: 'number', summary: 'the number of appointments (default 1000)', check: wholeNumber(0, MAX) },
    json,
  },
  examples: ['anteroom seed --organization sandbox --patients 1000 --appointments 5000'],
  run: async (line) => (await import('../seed.ts')).seed(line),
}
