// The audit context of a write: who writes, on behalf of which call. Source: 45 CFR 164.312(b);
// decisions/0013-audit-trail.md.
import type { Actor } from '../../contract/actor.ts'

/** The writer. Without an audit context the write is background work and not a call. */
export type Writer = Pick<Actor, 'organizationId' | 'userId'> & Partial<Pick<Actor, 'clientId' | 'auditContext'>>

/** The audit context of a write as JSON. Background work has no operation, so its event is named after the write. */
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

/**
 * Registers a patient that a list shows, because finding a hundred ids in a quarter of a megabyte of text costs a tenth
 * of producing it.
 */
export function showPatient({ auditContext }: Pick<Writer, 'auditContext'>, id: string): void {
  if (!auditContext) return
  auditContext.shown ??= new Set()
  auditContext.shown.add(id)
}

/** Registers MRNs of other patients that an answer shows; `json` is one MRN or an array. */
export function showMrns({ auditContext }: Pick<Writer, 'auditContext'>, json: string | null | undefined): void {
  if (!auditContext || !json || json === 'null' || json === '[]') return
  auditContext.shownMrns ??= []
  auditContext.shownMrns.push(...[JSON.parse(json)].flat())
}

/**
 * Registers the patient of a coverage that is shown beside a patient, which may be another patient. `body` is as
 * PostgreSQL prints jsonb: short keys come first, so the patient is near the start.
 */
export function showCoverage(writer: Pick<Writer, 'auditContext'>, body: string | null | undefined): void {
  const id = body && /"patient": "([^"]*)"/.exec(body)?.[1]
  if (id) showPatient(writer, id.toLowerCase())
}

/** Called after the audit event of a call has been stored together with a write. */
export function markAudited({ auditContext }: Pick<Writer, 'auditContext'>): void {
  if (auditContext) auditContext.isWritten = true
}
