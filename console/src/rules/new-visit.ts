// The fields of a visit that the front desk adds, such as that of a walk-in patient. Others come from the scheduling system.
import type { MutableAppointment, UniversalServiceIdentifier } from '../api/generated.ts'
import { dayOf, instantOf, timeOf } from './days.ts'
import { enteredNpi } from './entered.ts'
import type { Field } from './fields.ts'
import { oddDuration, oddNpi, oddYear } from './oddities.ts'
import { serviceWords } from './visits.ts'

/** As entered: the time is that of the clinic, the duration is in minutes, and empty text stands for a field without a value. */
export interface NewVisit {
  day: string
  time: string
  minutes: string
  service: string
  given: string
  family: string
  npi: string
}

const WHEN = 'Visit'
const PROVIDER = 'Provider'

type Input = Pick<Field<NewVisit>, 'at' | 'input' | 'options' | 'isRequired' | 'odd'>

const field = (name: keyof NewVisit, label: string, group: string, input: Input = {}): Field<NewVisit> => ({
  ...{ name, label, group, ...input },
  read: (visit) => visit[name],
  write: (visit, text) => ({ ...visit, [name]: text }),
})

const services = [
  ...Object.entries(serviceWords).map(([value, label]) => ({ value, label })),
  { value: '', label: 'Another service' },
]

export const visitFields: readonly Field<NewVisit>[] = [
  field('day', 'Day', WHEN, { at: 'start_timestamp', input: 'date', isRequired: true, odd: oddYear }),
  field('time', 'Time', WHEN, { input: 'time', isRequired: true }),
  field('minutes', 'Duration (minutes)', WHEN, {
    at: 'service_duration',
    input: 'number',
    isRequired: true,
    odd: oddDuration,
  }),
  field('service', 'Service', WHEN, { options: services }),
  field('given', 'First name', PROVIDER, { at: 'attending_doctor.name.given' }),
  field('family', 'Last name', PROVIDER, { at: 'attending_doctor.name.family' }),
  {
    ...field('npi', "NPI, if not the clinic's", PROVIDER, {
      at: 'attending_doctor.npi',
      odd: (text) => oddNpi(enteredNpi(text)),
    }),
    write: (visit, text) => ({ ...visit, npi: enteredNpi(text) }),
  },
]

const QUARTER_MS = 15 * 60_000

/** An office visit at the next quarter of an hour. `now` in milliseconds. */
export function nextVisit(now: number, timeZone: string): NewVisit {
  const start = new Date(Math.ceil(now / QUARTER_MS) * QUARTER_MS).toISOString()
  const when = { day: dayOf(start, timeZone), time: timeOf(start, timeZone) }
  return { ...when, minutes: '30', service: 'MD_Visit', given: '', family: '', npi: '' }
}

/** The visit in the form of a write. Its status is left to the verification. */
export function toAppointment(visit: NewVisit, patientId: string, timeZone: string): MutableAppointment {
  const { day, time, minutes, service, given, family, npi } = visit
  const name = { family, given: given.split(/\s+/).filter(Boolean), use: 'USUAL' as const }
  const isProvided = [given, family, npi].some((text) => text !== '')
  return {
    patient_id: patientId,
    start_timestamp: instantOf(day, time, timeZone) ?? '',
    service_duration: Number(minutes),
    services: service === '' ? [] : [{ universal_service_identifier: service as UniversalServiceIdentifier }],
    ...(isProvided && { attending_doctor: { name, telecoms: [], ...(npi !== '' && { npi }) } }),
  }
}
