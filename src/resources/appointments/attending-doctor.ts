// An appointment's attending doctor is the patient's current MD (rules.md 6), so writing an appointment can write the
// patient too.
// Both writes are in one transaction: a reader never sees one without the other, and a refused appointment does not
// change the patient. The patient's row is locked before anything is written. This ensures three things. No other
// transaction changes the patient between the read and the write, so no retry is needed. A transaction that has to
// wait, here for the patient or for the appointment when its own write locks it, has not ticked a change clock yet and
// so delays no other record. And because locks are always taken in the order patient's row, appointment's row,
// appointment's clock, patient's clock, two such writes cannot deadlock.
import type { Static } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { ExternalProvider } from '../../contract/common.schema.ts'
import type { Deps } from '../../deps.ts'
import { holdRecord, updateRecord } from '../../records/store.ts'
import { patient } from '../patients/patient.ts'
import type { MutableAppointment } from './appointment.schema.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

type Provider = Static<typeof ExternalProvider>

/**
 * Runs `write` and makes its attending doctor, if it names one, the patient's attending doctor; both are written or
 * neither.
 */
export async function writeWithDoctor<T>(
  deps: Needs,
  actor: Actor,
  body: MutableAppointment,
  write: (deps: Needs) => Promise<T>,
): Promise<T> {
  const doctor = body.attending_doctor
  if (!doctor) return write(deps)
  return deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    const held = await holdRecord(inTransaction, patient, actor, body.patient_id)
    const written = await write(inTransaction)
    const providers = held && withAttending(held.body.general_practitioners as Provider[], doctor)
    if (held && providers) {
      const target = { id: body.patient_id, expectedVersion: held.version }
      const changed = { ...held.body, general_practitioners: providers }
      await updateRecord(inTransaction, patient, actor, { ...target, body: changed })
    }
    return written
  })
}

/**
 * The providers with `doctor` as the only attending one, in the place of the first attending one; undefined when
 * nothing changes. Our choice: when the doctor is the attending one already, the patient's entry stays, because it may
 * be more complete.
 */
export function withAttending(providers: Provider[], doctor: Provider): Provider[] | undefined {
  const attending = providers.filter(isAttending)
  const known = attending.find((each) => isSameDoctor(each, doctor))
  if (known && attending.length === 1) return undefined
  const current: Provider = known ?? { ...doctor, type: 'ATTENDING' }
  const first = providers.findIndex(isAttending)
  if (first === -1) return [...providers, current]
  return providers.flatMap((each, index) => (index === first ? [current] : isAttending(each) ? [] : [each]))
}

/** A provider without a type counts as attending. Source: rules.md 6. */
function isAttending({ type = 'ATTENDING' }: Provider): boolean {
  return type === 'ATTENDING'
}

/** Compares NPIs where both have one, otherwise names. */
function isSameDoctor(one: Provider, other: Provider): boolean {
  if (one.npi !== undefined && other.npi !== undefined) return one.npi === other.npi
  return nameKey(one) === nameKey(other)
}

function nameKey({ name }: Provider): string {
  return [...name.given, name.family, name.suffix ?? ''].map((part) => part.trim().toLowerCase()).join('\n')
}
