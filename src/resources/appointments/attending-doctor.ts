// An appointment's attending doctor is the patient's current MD (rules.md 6), so writing one can write the other.
//
// Both writes stand in one transaction: a reader never sees the one without the other, and a refused appointment leaves the
// patient alone. The patient's row is held before anything is written. That settles three things: nobody moves the patient on
// between our reading and our writing, so there is nothing to retry; whoever must wait, for the patient here or for the
// appointment when its own write holds it, has not ticked a change clock yet and so stalls no other record; and since both
// rows and clocks are always taken patient's row, appointment's row, appointment's clock, patient's clock, two such writes
// cannot wait for each other.
import type { Static } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { ExternalProvider } from '../../contract/common.schema.ts'
import type { Deps } from '../../deps.ts'
import { holdRecord, updateRecord } from '../../records/store.ts'
import { patient } from '../patients/patient.ts'
import type { MutableAppointment } from './appointment.schema.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

type Provider = Static<typeof ExternalProvider>

/** Runs `write` and makes its attending doctor, if it names one, the patient's; both or neither is written. */
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
 * The providers with `doctor` as the only attending one, in the place of the first that was; undefined when nothing changes.
 * Our choice: a doctor who is the attending one already stays as the patient's record has them, which may know more.
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

/** A provider without a type is an attending one. Source: rules.md 6. */
function isAttending({ type = 'ATTENDING' }: Provider): boolean {
  return type === 'ATTENDING'
}

/** By NPI where both have one, else by name. */
function isSameDoctor(one: Provider, other: Provider): boolean {
  if (one.npi !== undefined && other.npi !== undefined) return one.npi === other.npi
  return nameKey(one) === nameKey(other)
}

function nameKey({ name }: Provider): string {
  return [...name.given, name.family, name.suffix ?? ''].map((part) => part.trim().toLowerCase()).join('\n')
}
