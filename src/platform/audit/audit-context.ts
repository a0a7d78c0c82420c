// What a writer tells the audit trail of itself. Source: 45 CFR 164.312(b); decisions/0013-audit-trail.md.
import type { Actor } from '../../contract/actor.ts'

/** Who writes. Without an audit context nobody called: a job does. */
export type Writer = Pick<Actor, 'organizationId' | 'userId'> & Partial<Pick<Actor, 'clientId' | 'auditContext'>>

/** What a write's event says of who did it, as JSON; a write that nobody called for is named after what it does. */
export function auditContextText({ auditContext, userId, clientId }: Writer, write: string): string {
  if (!auditContext) return JSON.stringify({ operation: `system.${write}`, user_id: userId })
  const { operation, address, requestId } = auditContext
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
export function showPatient({ auditContext }: Pick<Writer, 'auditContext'>, id: string): void {
  if (!auditContext) return
  auditContext.shown ??= new Set()
  auditContext.shown.add(id)
}

/** For MRNs of others beside a patient; JSON text of one or of an array. */
export function showMrns({ auditContext }: Pick<Writer, 'auditContext'>, json: string | null | undefined): void {
  if (!auditContext || !json || json === 'null' || json === '[]') return
  auditContext.shownMrns ??= []
  auditContext.shownMrns.push(...[JSON.parse(json)].flat())
}

/**
 * The same for a coverage beside a patient, which may be another's; `body` as PostgreSQL prints jsonb, so that short keys come first and
 * this one early.
 */
export function showCoverage(writer: Pick<Writer, 'auditContext'>, body: string | null | undefined): void {
  const id = body && /"patient": "([^"]*)"/.exec(body)?.[1]
  if (id) showPatient(writer, id.toLowerCase())
}

/** For whoever has just written the event of a call with the write itself. */
export function markAudited({ auditContext }: Pick<Writer, 'auditContext'>): void {
  if (auditContext) auditContext.isWritten = true
}
