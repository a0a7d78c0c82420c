import type { CommandDeclaration } from '../program/declaration.ts'
import { readDate, readNpi, readServiceTypes } from '../program/values.ts'
import { anyOrganization, json } from './flags.ts'

const date = { value: 'YYYY-MM-DD', check: readDate }

export const check: CommandDeclaration = {
  name: 'check',
  summary:
    'ask a payer about a patient, from a request in JSON or from flags, and print status, copays, deductibles and what to do about a rejection',
  words: [{ name: 'request.json|-', what: 'a request', kind: 'optional', isFile: true }],
  flags: {
    payer: { value: 'id', summary: 'the payer to ask' },
    npi: { value: 'NPI', summary: 'the NPI of the requesting provider', check: readNpi },
    'first-name': { value: 'name', summary: "the subscriber's first name" },
    'last-name': { value: 'name', summary: "the subscriber's last name" },
    'member-id': { value: 'id', summary: "the subscriber's member id" },
    'date-of-birth': { ...date, summary: "the subscriber's date of birth" },
    'dependent-first-name': { value: 'name', summary: 'of the patient, if not the subscriber' },
    'dependent-last-name': { value: 'name', summary: 'of the patient, if not the subscriber' },
    'dependent-date-of-birth': { ...date, summary: 'of the patient, if not the subscriber' },
    'date-of-service': { ...date, summary: 'the day of the visit (default: today)' },
    'service-types': {
      value: 'codes',
      summary: 'the service type codes of the inquiry, e.g. 30,98',
      check: readServiceTypes,
    },
    organization: anyOrganization,
    json,
  },
  examples: [
    'anteroom check request.json',
    'anteroom check --payer 60054 --npi 1999999984 --first-name Jane --last-name Doe --member-id AETNA12345 --date-of-birth 2004-04-04',
  ],
  run: async (line) => (await import('../check.ts')).check(line),
}
