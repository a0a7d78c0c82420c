// The usual requests of a front desk.
import { mrnOf, people } from '../src/tools/seed/people.ts'

/** The data of an organization that the requests need. */
export interface Desk {
  patients: number
  /** The ids of some of its patients. */
  patientIds: string[]
  tagIds: string[]
  phones: string[]
  birthDates: string[]
  /** The member ids of stored checks. */
  memberIds: string[]
  /** YYYY-MM-DD, a clinic day. */
  today: string
}

export interface Question {
  name: string
  /** A different request each time; `turn` counts up. */
  ask(desk: Desk, turn: number): string
  /** The limit of p50 for frequent requests; that of p99 is 150. */
  targetMs?: number
  /** The requested page, if it is not the first: see `pageToken` in lists.ts. */
  deepPage?: number
  /** True for rare operations, whose answer may take seconds. */
  isSlow?: boolean
}

const filtered = (url: string, filters: string) => `${url}?filters=${encodeURIComponent(filters)}`
const PATIENTS = '/lists/v1/patient'
const APPOINTMENTS = '/lists/v1/appointment'
const VISITS = '/appointments/v1/visits'
const start = 'appointment.startTimestamp'

/** A prime, so that its multiples reach every index before one repeats. */
const STRIDE = 7919
const any = <T>(list: readonly T[], turn: number) => list[(turn * STRIDE) % list.length] as T
const prefixes = ['Smi', 'Kow', 'Abern', 'Lind', 'Nak', 'Gold', 'Fitz', 'Haddad']
/** The payers of the benchmark's checks. */
export const CHECK_PAYERS = ['60054', '87726', '62308', '00590', '61101'] as const
const QUICK = 25
const COUNTS_ALL = 60
const CHECKS = '/eligibility-checks/v1/get-multi/'

export const questions: Question[] = [
  { name: "today's visits", targetMs: QUICK, ask: ({ today }) => filtered(VISITS, `${start}|eq|${today}`) },
  {
    name: 'visit counts of a day',
    targetMs: QUICK,
    ask: ({ today }) => filtered(`${VISITS}/counts`, `${start}|eq|${today}`),
  },
  { name: 'visit counts of a week', targetMs: QUICK, ask: ({ today }) => filtered(`${VISITS}/counts`, weekOf(today)) },
  {
    name: 'visits from today on, page 1, which counts them',
    isSlow: true,
    ask: ({ today }) => filtered(VISITS, `${start}|gt|${today}`),
  },
  {
    name: 'visits from today on, page 100',
    targetMs: QUICK,
    ask: ({ today }) => filtered(VISITS, `${start}|gt|${today}`),
    deepPage: 100,
  },
  {
    name: 'appointments of a day by status',
    targetMs: QUICK,
    ask: ({ today }, turn) =>
      filtered(
        APPOINTMENTS,
        `${start}|eq|${today},appointment.status|eq|${any(['NOT_READY', 'READY', 'PENDING'], turn)}`,
      ),
  },
  {
    name: 'appointments by status',
    targetMs: COUNTS_ALL,
    ask: () => filtered(APPOINTMENTS, 'appointment.status|eq|NOT_READY'),
  },
  {
    name: 'appointments by not-ready reason',
    ask: (_, turn) =>
      filtered(APPOINTMENTS, `appointment.notReadyReason|eq|${any(['ERROR', 'MANUAL', 'NEW_INSURANCE'], turn)}`),
  },
  {
    name: "a patient's appointments",
    ask: ({ patientIds }, turn) => filtered(APPOINTMENTS, `appointment.patientId|eq|${any(patientIds, turn)}`),
  },
  { name: 'all appointments', targetMs: COUNTS_ALL, ask: () => APPOINTMENTS },
  {
    name: 'patients by MRN',
    targetMs: QUICK,
    ask: ({ patients }, turn) => filtered(PATIENTS, `patient.mrn|eq|${mrnOf(1 + ((turn * STRIDE) % patients))}`),
  },
  {
    name: 'patients by start of family name',
    targetMs: QUICK,
    ask: (_, turn) => filtered(PATIENTS, `patient.name.family|contains|${any(prefixes, turn)}`),
  },
  {
    name: 'patients by family name, any case',
    ask: (_, turn) => filtered(PATIENTS, `patient.name.family|ieq|${any(people.families, turn).toLowerCase()}`),
  },
  {
    name: 'patients by birth date',
    ask: ({ birthDates }, turn) => filtered(PATIENTS, `patient.birthDate|eq|${any(birthDates, turn)}`),
  },
  {
    name: 'patients by phone',
    ask: ({ phones }, turn) => filtered(PATIENTS, `patient.primaryTelecom.value|eq|${any(phones, turn)}`),
  },
  {
    name: 'patients by tag',
    targetMs: COUNTS_ALL,
    ask: ({ tagIds }, turn) => filtered(PATIENTS, `patient.tagIds|contains|${any(tagIds, turn)}`),
  },
  {
    name: 'patients by likeness of name',
    targetMs: COUNTS_ALL,
    ask: (_, turn) => `${PATIENTS}?sort_field=${encodeURIComponent(`similar_name:Mary ${any(people.families, turn)}`)}`,
  },
  { name: 'all patients, page 1', targetMs: COUNTS_ALL, ask: () => PATIENTS },
  { name: 'all patients, page 500', targetMs: QUICK, ask: () => PATIENTS, deepPage: 500 },
  {
    name: 'patients whose next appointment is today',
    targetMs: COUNTS_ALL,
    ask: ({ today }) => filtered(PATIENTS, `nextAppointment.startTimestamp|eq|${today}`),
  },
  {
    name: 'patients by next appointment',
    targetMs: COUNTS_ALL,
    ask: () => `${PATIENTS}?sort_field=nextAppointment.startTimestamp`,
  },
  {
    name: "a patient's coverages",
    ask: ({ patientIds }, turn) => `/coverages/v1?patient_id=${any(patientIds, turn)}`,
  },
  { name: 'all checks', targetMs: COUNTS_ALL, ask: () => CHECKS },
  {
    name: "a member's checks",
    targetMs: QUICK,
    ask: ({ memberIds }, turn) => `${CHECKS}?subscriber_member_id=${encodeURIComponent(any(memberIds, turn))}`,
  },
  {
    name: "a payer's checks, page 1, which counts them",
    targetMs: COUNTS_ALL,
    ask: (_, turn) => `${CHECKS}?payer_id=${any(CHECK_PAYERS, turn)}`,
  },
  { name: "a day's checks", targetMs: QUICK, ask: ({ today }) => `${CHECKS}?date_of_service=${today}` },
]

function weekOf(today: string): string {
  const day = (distance: number) => new Date(Date.parse(today) + distance * 86_400_000).toISOString().slice(0, 10)
  return `${start}|gt|${day(-1)},${start}|lt|${day(7)}`
}
