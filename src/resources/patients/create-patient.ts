import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { WireError } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { violatedConstraint } from '../../platform/database/errors.ts'
import { createRecord } from '../../records/store.ts'
import { checkMrn, nextMrn, returnMrn } from './mrn.ts'
import { oncePerPerson, refuseTaken } from './once-per-person.ts'
import { MutablePatient } from './patient.schema.ts'
import { patient } from './patient.ts'
import { applyPatientRules } from './patient-rules.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

export const MutablePatientWithMrn = Type.Object({ ...MutablePatient.properties, mrn: Type.String() })
export type MutablePatientWithMrn = Static<typeof MutablePatientWithMrn>

/** More attempts would only be needed if callers deliberately used the generator's next numbers. */
const MRN_ATTEMPTS = 20

/**
 * Creates a patient with the given MRN or the next generated one. The checks run in this order: MRN length 400,
 * external id 409, MRN 409, duplicates 409. Source: rules.md 6.
 */
export async function createPatient(
  deps: Needs,
  actor: Actor,
  { mrn: given, ...sent }: MutablePatient & { mrn?: string },
  { id, skipDuplicateCheck }: { id?: string | undefined; skipDuplicateCheck: boolean },
): Promise<string> {
  if (given !== undefined) checkMrn(given)
  const body = await applyPatientRules(sent, { actor, deps })
  if (skipDuplicateCheck) await refuseTaken(deps, actor, { body, given })
  const store = (mrn: string) => {
    const guarded = skipDuplicateCheck ? undefined : { guard: oncePerPerson, subject: { body, given, mrn } }
    return createRecord(deps, patient, actor, { ...body, mrn }, { id, guarded })
  }
  if (given !== undefined) return store(given)
  for (let attempt = 1; ; attempt++) {
    const mrn = await nextMrn(deps, actor.organizationId)
    try {
      return await store(mrn)
    } catch (error) {
      // A caller has chosen this number as an MRN itself.
      const isTaken = violatedConstraint((error as Error).cause) === 'patient_mrn_unique'
      if (error instanceof WireError && !isTaken) returnMrn(deps, actor.organizationId, mrn)
      if (!isTaken || attempt === MRN_ATTEMPTS) throw error
    }
  }
}
