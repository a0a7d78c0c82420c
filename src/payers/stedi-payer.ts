import type { StediJson } from '../clearinghouses/clearinghouse.ts'
import { isObject } from '../contract/is-object.ts'
import { cleanText } from './clean-text.ts'
import type { DirectoryPayer } from './directory-payer.ts'

export const isStediId = (text: string): boolean => /^[A-Z]{5}$/.test(text)

/** Every field of a payer in Stedi's JSON; undefined where an id or the name is missing. Source: clearinghouse.md A6. */
export function readStediPayer(json: StediJson): DirectoryPayer | undefined {
  const [stedi_id, display_name, primary_payer_id] = [json.stediId, json.displayName, json.primaryPayerId].map(textOf)
  if (!stedi_id || !isStediId(stedi_id) || !display_name || !primary_payer_id) return undefined
  return {
    stedi_id,
    display_name,
    primary_payer_id,
    aliases: textsOf(json.aliases) ?? [],
    names: textsOf(json.names) ?? [],
    transaction_support: Object.fromEntries(
      Object.entries(objectOf(json.transactionSupport) ?? {}).filter(([, value]) => typeof value === 'string'),
    ) as Record<string, string>,
    employer_identification_numbers: textsOf(json.employerIdentificationNumbers),
    payer_enrollment: objectOf(json.enrollment),
    parent_payer_group: textOf(json.parentPayerGroupName) ?? textOf(json.parentPayerGroupId),
    coverage_types: textsOf(json.coverageTypes),
    programs: textsOf(json.programs),
  }
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? cleanText(value) : ''
  return text === '' ? undefined : text
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.flatMap((each) => textOf(each) ?? []) : undefined
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined
  return JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? cleanText(each) : each))
}
