// A coverage that moves to another patient is removed from the first patient's filing order. Source: rules.md 6,
// "filing_order".

import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { holdRecord, updateRecord } from '../../records/store.ts'
import { withoutCoverage } from '../patients/named-records.ts'
import { patient } from '../patients/patient.ts'
import type { MutableCoverage } from './coverage.schema.ts'
import { coverage } from './coverage.ts'

type Needs = Pick<Deps, 'database' | 'vault' | 'now' | 'newId'>

/**
 * Writes the coverage's next version and, where the previous patient's filing order names the coverage, that patient's
 * next version too: both or neither. The patient is locked first, then the coverage, then a clock is ticked
 * (decisions/0021-lock-order.md).
 */
export function moveCoverage(
  deps: Needs,
  actor: Actor,
  target: { id: string; expectedVersion: number; body: MutableCoverage },
  from: string,
): Promise<string> {
  return deps.database.transaction(async (database) => {
    const inTransaction = { ...deps, database }
    const left = await holdRecord(inTransaction, patient, actor, from)
    await holdRecord(inTransaction, coverage, actor, target.id)
    const written = await updateRecord(inTransaction, coverage, actor, target)
    const body = left && withoutCoverage(left.body, target.id.toLowerCase())
    if (body) await updateRecord(inTransaction, patient, actor, { id: from, expectedVersion: left.version, body })
    return written
  })
}
