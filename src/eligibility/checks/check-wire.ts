// A stored check in the form of the interface. Source: types.md, "Eligibility checks"; rules.md 13.1.

import type { EligibilityRequest } from '../../contract/eligibility-check.schema.ts'
import type { Deps } from '../../deps.ts'
import type { TextRow } from '../../platform/database/database.ts'
import { takeTurn } from '../../platform/event-loop.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'
import { toJson } from '../../records/storable.ts'
import type { AnswerForm, CheckOutcome } from '../answers/outcome.ts'
import { isLarge } from '../answers/read-answer.ts'
import { renderAlone } from '../answers/render-alone.ts'
import { renderResponse } from '../answers/render-response.ts'
import { placeOfCheck } from './check-place.ts'
import { toCheckRequest } from './check-request.ts'

const wireColumns = (answer: string) =>
  `organization_id, id, request::text, date_of_service, ${answer}, parsed_response::text, request_corrections::text, errors::text, batch_id`

/** The columns that `storedToWire` reads, in this order. */
export const WIRE_COLUMNS = wireColumns('raw_response, answer_form')
/** The same without the answer itself, which takes longer to render than everything else. */
export const COLUMNS_WITHOUT_RESPONSE = wireColumns('null, null')

/** A check in the form of the interface. The portal password is never shown again (rules.md 13.1). */
export function toWire(request: EligibilityRequest, outcome: CheckOutcome): object {
  return {
    request: withoutPassword(request),
    response: outcome.response ?? null,
    ...(outcome.parsedResponse && { parsed_response: outcome.parsedResponse }),
    ...(outcome.requestCorrections && { request_corrections: outcome.requestCorrections }),
    ...(outcome.errors.length > 0 && { errors: outcome.errors }),
  }
}

/** A stored check in the form of the interface, from a row of `WIRE_COLUMNS`; a pending one has no response yet. */
export async function storedToWire(deps: Pick<Deps, 'vault'>, row: TextRow): Promise<string> {
  const [organizationId = '', id = ''] = row
  const [request, day, raw, form, parsed, corrections, errors, batchId] = row.slice(2) as (string | null)[]
  const fields = Object.entries({
    batch_id: batchId && JSON.stringify(batchId),
    request: request && JSON.stringify(withoutPassword(JSON.parse(request))),
    parsed_response: parsed,
    request_corrections: corrections,
    errors,
  })
  const optional = fields.map(([key, text]) => (text ? `"${key}":${text},` : ''))
  const kept = raw && form && request && { raw, form: form as AnswerForm, request, day: day ?? '' }
  const render = () => (kept ? readKept(deps, { organizationId, id }, kept) : Promise.resolve('null'))
  const isAlone = kept && isLarge({ rawResponse: kept.raw })
  return `{${optional.join('')}"response":${await (isAlone ? renderAlone(organizationId, render) : render())}}`
}

/** The first rows of a page, up to about a megabyte: each is decrypted and read, and other work gets a turn in between. */
export async function storedToWires(deps: Pick<Deps, 'vault'>, rows: TextRow[]): Promise<string[]> {
  const wires: string[] = []
  for (let characters = 0; wires.length < rows.length && characters < CHUNK_BYTES; ) {
    await takeTurn(rows[wires.length]?.[0] ?? '')
    const wire = await storedToWire(deps, rows[wires.length] as TextRow)
    wires.push(wire)
    characters += wire.length
  }
  return wires
}

/** `response` as JSON, rendered from the stored answer; null when it can no longer be decrypted or read. */
async function readKept(
  deps: Pick<Deps, 'vault'>,
  check: { organizationId: string; id: string },
  kept: { raw: string; form: AnswerForm; request: string; day: string },
): Promise<string> {
  try {
    const text = deps.vault.decrypt(kept.raw, placeOfCheck(check, 'raw_response'))
    const asked = toCheckRequest(JSON.parse(kept.request) as EligibilityRequest, kept.day)
    return toJson(await renderResponse({ text, form: kept.form }, asked, check)) ?? 'null'
  } catch {
    return 'null'
  }
}

function withoutPassword(request: EligibilityRequest): EligibilityRequest {
  const { portal_password: _password, ...shown } = request
  return shown
}
