// The query of a patient search: a name, an MRN, a member ID, a birth date or a telephone number, distinguished by its form.

import type { FoundPatient } from '../api/generated.ts'
import { shortDay } from './days.ts'
import { entered } from './entered.ts'
import { capital } from './names.ts'
import { readDate } from './read-date.ts'

export type PatientQuery = {
  filters?: string
  sort_field?: string
  redirect_to_primary?: boolean
  family_begins?: string
  given_begins?: string
  telephone?: string
  member_id?: string
}

interface PatientQueries {
  /** Their results are shown together. */
  queries: PatientQuery[]
  /** Finds the record that is kept of a merge by the MRN of the other one, which letters and cards still have. */
  ofMerged?: PatientQuery
  /** Asked as well while these find too few. What it finds is not all of the text. */
  otherwise?: Otherwise
  /** Asked together with `otherwise`, and shown before. */
  givenNames?: PatientQuery
}

/** `shared`: what its patients have in common with the text, which is not all of it. */
type Otherwise = PatientQuery & { shared: 'similar name' | 'same birth date' }

/** What a patient is found by. */
export const SEARCHED_BY = 'name, MRN, member ID, birth date or telephone'
export const SEARCH_LABEL = capital(SEARCHED_BY)

/** The coverage by whose member ID a patient was found, with what says that it may be an old card. */
export function matchWords({ status, insurance_plan: plan }: NonNullable<FoundPatient['matched_coverage']>): string {
  const { end } = plan.period ?? {}
  const state = status === 'ACTIVE' ? '' : status.replaceAll('_', ' ').toLowerCase()
  return [`member ID ${plan.member_id}, ${plan.payer_name}`, state, end && `until ${shortDay(end)}`]
    .filter(Boolean)
    .join(', ')
}

/** A value of a filter, with the characters of the filter syntax escaped. docs/filters.md */
export const filterValue = (text: string) => text.replace(/[\\,;]/g, (sign) => `\\${sign}`)

/** An order that an index has, so that the first matches are found without visiting the others. */
const FOUND_FIRST = 'patient.id'

/** A shorter part of an MRN is in too many MRNs for a search to be useful, and for an index. */
const MRN_PART = 3

/** The last digits of a number, which people tell, and a number without its area code. */
const TELEPHONE_PART = 4
const LOCAL_NUMBER = 7
const PHONE = /^[+()\d\s.-]+$/

/** The last characters of a member ID. The API takes no fewer. */
const MEMBER_PART = 4

/** The letters and digits of a member ID, as they are compared; of a part that is too short to search for, nothing. */
export function memberPart(text: string): string | undefined {
  const signs = memberSigns(text)
  return signs.length < MEMBER_PART ? undefined : signs
}

export const memberSigns = (text: string) => text.toUpperCase().replaceAll(/[^A-Z\d]/g, '')

/** A shorter part of a name is in too many names. */
const GIVEN_PART = 3

/** As long as the API allows. */
const NAME_LENGTH = 100

/**
 * The queries for a text, none for a text that is too short. Digits alone may be an MRN, the last ones of a telephone number or of a member ID,
 * or a birth date. A name may be the first letters of a family name, of both names in either order, of given names, or one that is not spelled as
 * the patient's.
 */
export function readSearch(text: string): PatientQueries {
  const typed = entered(text)
  if (typed.length < 2) return { queries: [] }
  const withDate = readNameAndDate(typed)
  if (withDate) return withDate
  const digits = typed.replace(/\D/g, '')
  const birthDate = readDate(typed)
  const isPhone = PHONE.test(typed) && digits.length >= TELEPHONE_PART
  const isWholePhone = isPhone && digits.length >= LOCAL_NUMBER
  const isMrn = /\d/.test(typed) && (digits === typed || !(birthDate || isWholePhone))
  const queries: PatientQuery[] = []
  if (birthDate) queries.push({ filters: `patient.birthDate|eq|${birthDate}` })
  if (isMrn)
    queries.push({
      filters: `patient.mrn|${typed.length < MRN_PART ? 'eq' : 'contains'}|${filterValue(typed)}`,
      sort_field: FOUND_FIRST,
    })
  if (isPhone && !birthDate) queries.push({ telephone: typed, sort_field: FOUND_FIRST })
  if (isMemberId(typed) && (isMrn || (isPhone && !birthDate)))
    queries.push({ member_id: typed, sort_field: FOUND_FIRST })
  if (queries.length > 0) return { queries, ...(isMrn && typed.length >= MRN_PART && { ofMerged: mergedInto(typed) }) }
  const name = typed.slice(0, NAME_LENGTH)
  return {
    queries: namesIn(name).map((each) => ({ ...each, sort_field: 'patient.name.family' })),
    ...(isGivenName(name) && { givenNames: { given_begins: name, sort_field: 'patient.name.family' } }),
    otherwise: { sort_field: `similar_name:${typed.replaceAll(',', ' ')}`, shared: 'similar name' },
  }
}

const mergedInto = (mrn: string): PatientQuery => ({
  filters: `patient.mrn|ieq|${filterValue(mrn)}`,
  redirect_to_primary: true,
  sort_field: FOUND_FIRST,
})

const isMemberId = (text: string) => text.length <= NAME_LENGTH && memberPart(text) !== undefined

/** Given names have no comma: what is before one is a family name. */
const isGivenName = (text: string) =>
  !text.includes(',') && text.split(/[\s"-]+/).some((word) => word.length >= GIVEN_PART)

/** What is said when nobody was found: a part of a telephone number is found only as its end. */
export function noneWords(text: string): string {
  const typed = entered(text)
  const digits = typed.replace(/\D/g, '').length
  const isPart = PHONE.test(typed) && digits !== TELEPHONE_PART && digits < LOCAL_NUMBER && !readDate(typed)
  return `No patients found.${isPart ? ' Of a telephone number, enter the last four digits or all of it.' : ''}`
}

/** How many were found, at least one. `others`: those of them that merely share a part of the text; of more than `most` the best are shown. */
export function foundWords(found: number, others: number, shared: Otherwise['shared'], most: number): string {
  if (others > 0)
    return `${found === others ? 'No exact match.' : `${found - others} found.`} ${others} with ${articles[shared]} ${shared}.`
  return found >= most ? `The ${found} best matches.` : `${found} found.`
}
const articles = { 'similar name': 'a', 'same birth date': 'the' }

/** The names that a text may begin: `doe, jane`, `doe jane`, `jane doe`, and `doe jane` as a family name of two words. */
function namesIn(text: string): PatientQuery[] {
  const [family = '', given] = text.split(/,(.*)/s).map((part) => part.trim())
  if (family && given) return [{ family_begins: family, given_begins: given }]
  const whole = family || text
  const [, first, afterFirst] = /^(\S+)\s+(.+)$/s.exec(whole) ?? []
  const [, beforeLast, last] = /^(.+)\s+(\S+)$/s.exec(whole) ?? []
  if (!first || !afterFirst || !beforeLast || !last) return [{ family_begins: whole }]
  return [
    { family_begins: whole },
    { family_begins: beforeLast, given_begins: last },
    { family_begins: afterFirst, given_begins: first },
  ]
}

/** A name and a birth date, in either order; all patients who were born on that day while too few have the name. */
function readNameAndDate(text: string): PatientQueries | undefined {
  const words = text.split(' ')
  const [first = '', last = ''] = [words[0]?.replace(/,$/, ''), words.at(-1)]
  const [date, name] = readDate(last)
    ? [readDate(last), words.slice(0, -1).join(' ').replace(/,$/, '')]
    : [readDate(first), words.slice(1).join(' ')]
  if (date === undefined || !/\p{L}/u.test(name)) return undefined
  const filters = `patient.birthDate|eq|${date}`
  const named = namesIn(name.slice(0, NAME_LENGTH))
  return {
    queries: named.map((each) => ({ ...each, filters, sort_field: 'patient.name.family' })),
    otherwise: { filters, shared: 'same birth date' },
  }
}
