// What a writer tells the audit trail of itself. Source: 45 CFR 164.312(b); decisions/0013-audit-trail.md.
import type { Actor } from '../../contract/actor.ts'

/** Who writes. Without an act nobody called: a job does. */
export type Writer = Pick<Actor, 'organizationId' | 'userId'> & Partial<Pick<Actor, 'clientId' | 'act'>>

/** What a write's event says of who did it, as JSON; a write that nobody called for is named after what it does. */
export function auditContextText({ act, userId, clientId }: Writer, write: string): string {
  if (!act) return JSON.stringify({ operation: `system.${write}`, user_id: userId })
  const { operation, address, requestId } = act
  return JSON.stringify({
    operation,
    client_id: clientId,
    user_id: userId,
    address,
    status: 200,
    request_id: requestId,
  })
}

/** For lists, which know whose rows they show: to find a hundred ids in a quarter of a megabyte costs a tenth of making it. */
export function showPatient({ act }: Pick<Writer, 'act'>, id: string): void {
  if (!act) return
  act.shown ??= new Set()
  act.shown.add(id)
}

/** For MRNs of others beside a patient; JSON text of one or of an array. */
export function showMrns({ act }: Pick<Writer, 'act'>, json: string | null | undefined): void {
  if (!act || !json || json === 'null' || json === '[]') return
  act.shownMrns ??= []
  act.shownMrns.push(...[JSON.parse(json)].flat())
}

/**
 * The same for a coverage beside a patient, which may be another's; `body` as PostgreSQL prints jsonb, so that short keys come first and
 * this one early.
 */
export function showCoverage(writer: Pick<Writer, 'act'>, body: string | null | undefined): void {
  const id = body && /"patient": "([^"]*)"/.exec(body)?.[1]
  if (id) showPatient(writer, id.toLowerCase())
}

/** For whoever has just written the event of a call with the write itself. */
export function markAudited({ act }: Pick<Writer, 'act'>): void {
  if (act) act.isWritten = true
}
