// What each scope permits, in the words of the administrator who grants it (console, OpenAPI).

type Words = readonly [read: string, write?: string]

const RESOURCES: Readonly<Record<string, Words>> = {
  appointments: ['See visits.', 'Add, change and cancel visits, and verify their coverages.'],
  coverages: ['See coverages.', 'Add and change coverages, and check them with payers.'],
  diagnoses: ['See diagnoses.', 'Add, change and delete diagnoses.'],
  eligibility: [
    'See the results of checks in the format of Availity.',
    'Check eligibility with payers in the format of Availity.',
  ],
  'eligibility-checks': [
    'See payers, checks and their answers, benefit sheets and suggestions.',
    'Check eligibility with payers, in batches too, and search for unknown coverage.',
  ],
  events: ['Be told at once which records change.'],
  images: ['See images, such as those of insurance cards.', 'Add, change and remove images.'],
  lists: ['See and search the lists of patients and of visits.'],
  'medicare-numbers': ['', 'Look up Medicare numbers.'],
  'metadata-schemas': ['See the custom fields.', 'Add and change custom fields.'],
  notes: ['See notes.', 'Add, change and remove notes.'],
  'organization-external-providers': ['See external providers.', 'Add, change and remove external providers.'],
  'patient-merge': ['See which records of patients were merged.', 'Merge records of patients, and undo merges.'],
  patients: ['See patients.', 'Add, change and remove patients.'],
  tags: ['See tags.', 'Add, change and remove tags.'],
  users: ['See the names of users.'],
  webhooks: ['See webhooks and their deliveries.'],
}

/** `admin`. */
export const ADMIN_WORDS =
  'Administer the organization: users, API clients, connectors and payer routes, verification, webhooks; see the raw messages of checks and the audit trail.'

/** Empty for a resource without words, which a test finds. */
export const wordsOfScope = (resource: string, accessType: 'read' | 'write'): string =>
  RESOURCES[resource]?.[accessType === 'read' ? 0 : 1] ?? ''
