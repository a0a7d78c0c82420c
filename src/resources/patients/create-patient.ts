import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import { alreadyInUse } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { DatabaseBusy, violatedConstraint } from '../../platform/database/errors.ts'
import { createFairShare, leavingSome } from '../../platform/fair-share.ts'
import { createRecord } from '../../records/store.ts'
import { checkMrn, nextMrn } from './mrn.ts'
import { MutablePatient } from './patient.schema.ts'
import { patient } from './patient.ts'
import { applyPatientRules } from './patient-rules.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

export const MutablePatientWithMrn = Type.Object({ ...MutablePatient.properties, mrn: Type.String() })

/** More attempts would only be needed if callers deliberately used the generator's next numbers. */
const MRN_ATTEMPTS = 20

/**
 * Creates a patient with the given MRN or the next generated one. The checks run in this order: MRN length 400,
 * external id 409, MRN 409, duplicates 409. Source: rules.md 6.
 */
export async function createPatient(
  deps: Needs,
  actor: Actor,
  sent: MutablePatient & { mrn?: string },
  options: { skipDuplicateCheck: boolean },
): Promise<string> {
  if (sent.mrn !== undefined) checkMrn(sent.mrn)
  const body = { ...(await applyPatientRules(sent, { actor, deps })), ...(sent.mrn !== undefined && { mrn: sent.mrn }) }
  await refuseKnown(deps, actor, body, options)
  const store = options.skipDuplicateCheck ? createRecord : createUnlessDuplicate
  if (body.mrn !== undefined) return store(deps, patient, actor, body)
  for (let attempt = 1; ; attempt++) {
    try {
      return await store(deps, patient, actor, { ...body, mrn: await nextMrn(deps, actor.organizationId) })
    } catch (error) {
      // A caller has chosen this number as an MRN itself.
      const isTaken = violatedConstraint((error as Error).cause) === 'patient_mrn_unique'
      if (!isTaken || attempt === MRN_ATTEMPTS) throw error
    }
  }
}

/**
 * The creates of an organization with a duplicate check that are in their transactions: they all wait for the clock of patients there, and
 * PostgreSQL spends more on waking sixteen of them than on their writes. decisions/0037-group-commit.md
 */
const TURNS_AT_A_TIME = 3
const TURN_TIMEOUT_MS = 5_000
const turns = createFairShare({
  places: Number.POSITIVE_INFINITY,
  rule: (own) => own < TURNS_AT_A_TIME,
  maxWaiting: 1000,
  waitingRule: leavingSome,
  patienceMs: TURN_TIMEOUT_MS,
})

async function createUnlessDuplicate(...asked: Parameters<typeof createInTurn>): Promise<string> {
  const { organizationId } = asked[2]
  await turns.enter(organizationId).catch((cause: Error) => {
    throw new DatabaseBusy('the create timed out waiting for its turn', { cause })
  })
  try {
    return await createInTurn(...asked)
  } finally {
    turns.leave(organizationId)
  }
}

/**
 * Repeats the duplicate check in the transaction that creates the patient. Creates of the same person are serialized,
 * so that a waiting create sees the patient that the other one has committed.
 */
function createInTurn(
  deps: Needs,
  record: typeof patient,
  actor: Actor,
  body: MutablePatient & { mrn?: string },
): Promise<string> {
  return deps.database.transaction(async (database) => {
    const person = [actor.organizationId, ...identityOf(body)]
    // In one packet, but two statements: the second one sees what was committed while the first one waited.
    const [, row] = await Promise.all([database.rows(turnStatement, person), database.row(duplicatesStatement, person)])
    refuseDuplicates(row?.[0])
    return createRecord({ ...deps, database }, record, actor, body)
  })
}

/** Family name, first given name and birth date: the fields that the duplicate check compares. */
function identityOf({ name, birth_date }: MutablePatient): string[] {
  return [name.family, name.given[0] ?? '', birth_date]
}

const turnStatement = {
  name: 'patient_duplicate_turn',
  text: `select pg_advisory_xact_lock(hashtextextended(
    concat_ws(E'\\x1f', 'patient', $1::text, same_name($2::text), same_name($3::text), $4::text), 0))`,
}

/** The start of the family name is in the index; deactivated patients do not count as duplicates. */
const duplicatesOf = (family: string, given: string, birthDate: string) => `
  select json_agg(json_build_object('existing_patient_id', id, 'existing_patient_mrn', mrn) order by id)
  from patient where organization_id = $1 and not deactivated and birth_date = ${birthDate}
    and left(same_name(name_family), 50) = left(same_name(${family}), 50)
    and same_name(name_family) = same_name(${family})
    and same_name(coalesce(body -> 'name' -> 'given' ->> 0, '')) = same_name(${given})`

const duplicatesStatement = { name: 'patient_duplicates', text: duplicatesOf('$2::text', '$3::text', '$4::text') }

/** One query for everything that could refuse a create; the database decides between concurrent creates. */
const knownStatement = {
  name: 'patient_known',
  text: `select
      (select 1 from patient where organization_id = $1 and external_provenance_system_name = $2
        and external_provenance_external_id = $3),
      (select 1 from patient where organization_id = $1 and mrn = $4),
      (${duplicatesOf('$5::text', '$6::text', '$7::text')})`,
}

async function refuseKnown(
  deps: Needs,
  actor: Actor,
  body: MutablePatient & { mrn?: string },
  options: { skipDuplicateCheck: boolean },
): Promise<void> {
  const provenance = body.external_provenance
  if (options.skipDuplicateCheck && body.mrn === undefined && provenance?.external_id === undefined) return
  const [family, given, birthDate] = identityOf(body)
  const row = await deps.database.row(knownStatement, [
    actor.organizationId,
    provenance?.system_name ?? null,
    provenance?.external_id ?? null,
    body.mrn ?? null,
    family,
    given,
    options.skipDuplicateCheck ? null : birthDate,
  ])
  const [externalId, mrn, duplicates] = row ?? []
  const { patient_external_id_unique, patient_mrn_unique } = patient.uniqueness ?? {}
  if (externalId && patient_external_id_unique) throw patient_external_id_unique()
  if (mrn && patient_mrn_unique) throw patient_mrn_unique()
  refuseDuplicates(duplicates)
}

function refuseDuplicates(duplicates: string | null | undefined): void {
  if (duplicates) throw alreadyInUse('a patient with this name and birth date exists already', JSON.parse(duplicates))
}

export type MutablePatientWithMrn = Static<typeof MutablePatientWithMrn>
