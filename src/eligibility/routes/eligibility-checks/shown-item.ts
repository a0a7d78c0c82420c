import type { TSchema } from 'typebox'
import { type EligibilityRequest, EligibilityRequest as schema } from '../../../contract/eligibility-check.schema.ts'
import { canonicalDateTime, isDate, withHyphens } from '../../../contract/formats.ts'

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  anyOf?: Shape[]
  items?: Shape
  format?: string
  maxLength?: number
}

/**
 * An invalid item of a batch as it is returned to the caller: the values that were sent, so that the caller can identify it, in the form
 * that the interface declares, so that one bad item does not make the page unreadable for a strict client. Values without a field in that
 * form are left out, and missing required ones are empty; `errors` states the problems. The portal's password is never returned.
 */
export function shownItem(item: unknown): EligibilityRequest {
  const { portal_password: _password, ...shown } = show(schema as TSchema as Shape, item) as EligibilityRequest
  return shown
}

function show(shape: Shape, value: unknown): unknown {
  if (shape.anyOf) return showObject(together(shape.anyOf), value)
  if (shape.type === 'object') return showObject(shape, value)
  if (shape.type === 'array') {
    const items = Array.isArray(value) ? value : []
    return items.map((each) => show(shape.items ?? {}, each)).filter((each) => each !== undefined)
  }
  return showText(shape, value)
}

function showObject({ properties = {}, required = [] }: Shape, value: unknown): object {
  const sent = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const entries = Object.entries(properties).map(([key, property]) => {
    const isSent = Object.hasOwn(sent, key) && sent[key] !== null && sent[key] !== undefined
    if (!isSent && !required.includes(key)) return [key, undefined] as const
    const shown = key === 'date_of_birth' ? showDate(sent[key]) : show(property, sent[key])
    return [key, shown ?? (required.includes(key) ? '' : undefined)] as const
  })
  return Object.fromEntries(entries.filter(([, shown]) => shown !== undefined))
}

function showText({ format, maxLength }: Shape, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // The cut may part a pair of surrogates, and PostgreSQL stores no half of one.
  const text = String(value).replaceAll('\0', '').slice(0, maxLength).toWellFormed()
  if (format === 'date') return showDate(text)
  if (format === 'date-time') return canonicalDateTime(text)
  return text
}

/** `YYYYMMDD` is accepted as well (rules.md 13.4). */
function showDate(value: unknown): string | undefined {
  const text = typeof value === 'string' ? withHyphens(value) : ''
  return isDate(text) ? text : undefined
}

/** A provider has the fields of a person or of an organization, with no other discriminator. */
function together(members: Shape[]): Shape {
  const properties = Object.assign({}, ...members.map((member) => member.properties))
  const required = Object.keys(properties).filter((key) => members.every((member) => member.required?.includes(key)))
  return { properties, required }
}
