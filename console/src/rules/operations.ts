// The entries of the audit trail as an administrator reads them: what a user did, not the name of the API's operation.
import type { Operations } from '../api/generated.ts'
import { capital } from './names.ts'

type Operation = keyof Operations
type GroupOf<Name extends string> = Name extends `${infer Group}.${string}` ? Group : never
type Group = GroupOf<Operation>

/** What each group of operations is about: one of it, and several. The compiler reports a group that is missing. */
const subjects: Readonly<Record<Group, readonly [one: string, many: string]>> = {
  auth: ['an access token', 'access tokens'],
  appointments: ['a visit', 'visits'],
  coverages: ['a coverage', 'coverages'],
  diagnoses: ['a diagnosis', 'diagnoses'],
  eligibility: ['a check in the form of Availity', 'checks in the form of Availity'],
  eligibilityChecks: ['an eligibility check', 'eligibility checks'],
  eligibilityRecommendations: ['a recommendation', 'recommendations'],
  images: ['a card image', 'card images'],
  lists: ['a worklist', 'worklists'],
  metadataSchemas: ['a set of custom fields', 'sets of custom fields'],
  notes: ['a note', 'notes'],
  organizationExternalProviders: ['a provider', 'providers'],
  patientMerges: ['a merge of patients', 'merges of patients'],
  patients: ['a patient', 'patients'],
  tags: ['a tag', 'tags'],
  storedChecks: ['an eligibility response', 'eligibility responses'],
  visitVerification: ['the verification of a visit', 'verifications of visits'],
  coverageLimits: ['the limits of coverages', 'limits of coverages'],
  board: ['a day of visits', 'days of visits'],
  patientSearch: ['a search for patients', 'searches for patients'],
  audit: ['the audit trail', 'the audit trail'],
  events: ['the live changes', 'live changes'],
  webhooks: ['a webhook', 'webhooks'],
  users: ['a user', 'users'],
  userNames: ['the names of users', 'names of users'],
  apiClients: ['an API client', 'API clients'],
  connectors: ['a connector', 'connectors'],
  payerRoutes: ['a payer route', 'payer routes'],
  verificationRules: ['the verification rules', 'verification rules'],
  systemHealth: ['the system health', 'system health'],
  session: ['a session', 'own sessions'],
  sessions: ['a session', 'sessions'],
  secondFactor: ['the second factor', 'second factors'],
  passkeys: ['a passkey', 'passkeys'],
}

/** The operations that most groups have. */
const verbs = {
  get: (one: string) => `Viewed ${one}`,
  getMulti: (_: string, many: string) => `Listed ${many}`,
  getAll: (_: string, many: string) => `Listed ${many}`,
  getHistory: (one: string) => `Viewed the history of ${one}`,
  scan: (_: string, many: string) => `Read changes of ${many}`,
  create: (one: string) => `Added ${one}`,
  update: (one: string) => `Changed ${one}`,
  deactivate: (one: string) => `Removed ${one}`,
  reactivate: (one: string) => `Restored ${one}`,
  remove: (one: string) => `Removed ${one}`,
  delete: (one: string) => `Removed ${one}`,
} as const

type Own = Exclude<Operation, `${Group}.${keyof typeof verbs}`>

/** The operations that only one group has, and those that are called otherwise. The compiler reports one that is missing. */
const own: Readonly<Record<Own, string> & Partial<Record<Operation, string>>> = {
  'auth.getToken': 'A program signed in',
  'appointments.getVisits': 'Listed visits of days',
  'appointments.getCounts': 'Counted visits that are not ready',
  'eligibilityChecks.coordinationOfBenefits': 'Checked which payer pays first',
  'coverages.getMultiPaginated': 'Listed coverages page by page',
  'coverages.batchUpdatePpg': 'Changed the coverages of a payer plan group',
  'coverages.checkEligibility': 'Checked a coverage with its payer',
  'coverages.getEligibility': 'Viewed a check of a coverage',
  'eligibility.submitEligibilityCheckAvaility': 'Checked eligibility in the form of Availity (address)',
  'eligibility.submitEligibilityCheckAvailityPost': 'Checked eligibility in the form of Availity',
  'eligibility.findAvailityEligibilityResults': 'Searched checks in the form of Availity',
  'eligibilityChecks.post': 'Checked eligibility with a payer',
  'eligibilityChecks.batch': 'Started a batch of eligibility checks',
  'eligibilityChecks.pollBatch': 'Viewed the results of a batch',
  'eligibilityChecks.payerSearch': 'Searched payers',
  'eligibilityChecks.encounterEligibility': 'Listed the checks of an encounter',
  'eligibilityChecks.createEncounterEligibility': 'Checked the coverage for an encounter',
  'eligibilityChecks.insuranceDiscovery': 'Searched for unknown coverage of a patient',
  'eligibilityChecks.lookUpMedicareNumber': 'Searched for a Medicare number',
  'eligibilityRecommendations.getLatest': 'Viewed recommendations',
  'eligibilityRecommendations.vote': 'Voted on a recommendation',
  'lists.getPatientList': 'Listed patients with their coverages',
  'lists.getAppointmentList': 'Listed visits with their coverages',
  'patientMerges.create': 'Merged two patients',
  'patientMerges.deactivate': 'Undid a merge of patients',
  'patientMerges.getStatus': 'Viewed whether a patient is merged',
  'patientMerges.getAllByMrn': 'Listed the merges of a patient',
  'patientMerges.search': 'Searched merges of patients',
  'patients.search': 'Listed all patients',
  'patients.getMulti': 'Listed patients page by page',
  'patients.createWithMrn': 'Added a patient with an MRN',
  'patients.searchProviders': 'Searched referring providers',
  'patients.getByMrn': 'Viewed a patient by MRN',
  'patients.getCoverageSnapshot': 'Viewed the coverages of a patient at a time',
  'patients.getEligibilityTimeline': 'Viewed the eligibility history of a patient',
  'storedChecks.getMessages': 'Viewed the raw messages of a check',
  'storedChecks.explainMessages': 'Viewed the explained messages of a check',
  'storedChecks.getBenefitSheet': 'Opened a benefit sheet',
  'visitVerification.begin': 'Checked the coverages for a visit',
  'board.getVisits': 'Viewed a day of visits',
  'patientSearch.find': 'Searched patients',
  'audit.getMulti': 'Searched the audit trail',
  'events.getMulti': 'Followed live changes',
  'webhooks.rotateSecret': 'Created a new secret of a webhook',
  'webhooks.test': 'Tested a webhook',
  'webhooks.getDeliveries': 'Listed the deliveries of a webhook',
  'webhooks.replayDelivery': 'Sent a delivery again',
  'webhooks.replay': 'Sent the events of a webhook again',
  'users.resetPassword': 'Reset the password of a user',
  'users.resetSecondFactor': 'Removed the second factor of a user',
  'apiClients.getScopes': 'Listed the scopes of API clients',
  'apiClients.rotateSecret': 'Created a new secret of an API client',
  'apiClients.revoke': 'Revoked an API client',
  'connectors.test': 'Tested a connector',
  'coverageLimits.getMulti': 'Viewed the limits of coverages',
  'userNames.getMulti': 'Viewed the names of users',
  'payerRoutes.set': 'Set a payer route',
  'session.create': 'Signed in',
  'session.get': 'Viewed their own session',
  'session.remove': 'Signed out',
  'session.changePassword': 'Changed their own password',
  'session.methods': 'Opened the sign-in page',
  'session.challenge': 'Started to sign in with a passkey',
  'session.createByPasskey': 'Signed in with a passkey',
  'sessions.remove': 'Ended a session',
  'secondFactor.get': 'Viewed their own second factor',
  'secondFactor.create': 'Started to set up a second factor',
  'secondFactor.confirm': 'Turned on the second factor',
  'secondFactor.renewRecoveryCodes': 'Created new recovery codes',
  'secondFactor.remove': 'Turned off the second factor',
  'passkeys.begin': 'Started to add a passkey',
  'passkeys.update': 'Renamed a passkey',
}

/** What the service does by itself, by the record and the kind of the write; the records have the names of their tables. */
const ownRecords: Readonly<Record<string, string>> = {
  appointment: 'a visit',
  coverage: 'a coverage',
  diagnosis: 'a diagnosis',
  eligibility_batch: 'a batch of eligibility checks',
  eligibility_check: 'an eligibility check',
  eligibility_recommendation: 'a recommendation',
  image: 'a card image',
  patient: 'a patient',
}
const ownVerbs: Readonly<Record<string, string>> = {
  create: 'Added',
  create_many: 'Added',
  update: 'Changed',
  update_many: 'Changed',
  amend: 'Changed',
  answer: 'Stored the answer of',
  deactivate: 'Removed',
  deactivate_many: 'Removed',
  reactivate: 'Restored',
  forget_messages: 'Deleted the old messages of',
}

/** The service's own work and commands on its machine. Source: `StoredAuditEvent` in event.ts. */
const outside: Readonly<Record<string, string>> = {
  system: 'The service itself',
  command: 'Commands on the server',
  'system.webhooks.deliver': 'Sent an event to a webhook',
}

/** `patients.get` as `Viewed a patient`; a group alone as `Patients`. A name that is not known, of an older release, stays readable. */
export function describeOperation(operation: string): string {
  const known = own[operation as Operation] ?? outside[operation] ?? byGroup(operation)
  if (known !== undefined) return known
  const [group = '', ...rest] = operation.split('.')
  if (group === 'command') return `Command on the server: ${rest.join(' ')}`
  const [record = '', verb = ''] = rest
  if (group === 'system') return `${ownVerbs[verb] ?? capital(spaced(verb))} ${ownRecords[record] ?? spaced(record)}`
  return capital(spaced(operation))
}

function byGroup(operation: string): string | undefined {
  const [group = '', name] = operation.split('.')
  const subject = subjects[group as Group]
  if (subject === undefined) return undefined
  return name === undefined ? capital(subject[1]) : verbs[name as keyof typeof verbs]?.(...subject)
}

const spaced = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[._]/g, ' ')
    .toLowerCase()

/** Why a call was refused. Source: `ErrorName` in errors.ts. */
const refusals: Readonly<Record<string, string>> = {
  BadRequestError: 'the input was not valid',
  HttpRequestValidationError: 'the input was not valid',
  HttpRequestValidationsError: 'the input was not valid',
  InvalidContentTypeError: 'the input was not valid',
  DiagnosisNotFoundHTTPError: 'not found',
  NotFoundError: 'not found',
  VersionConflictError: 'changed by another user in the meantime, or already in use',
  TooManyRequestsError: 'too many requests',
  InternalError: 'a service error',
}

/** `status`: of HTTP; 401 and 403 have one name in the interface. */
export function describeOutcome({ error_name, status }: { error_name?: string; status?: number }): string {
  if (error_name === undefined) return 'Done'
  if (error_name === 'UnauthorizedError') return `Refused: ${status === 403 ? 'not permitted' : 'not signed in'}`
  return `Refused: ${refusals[error_name] ?? spaced(error_name)}`
}
