// What a search for a patient shows: in few bytes, and without counting what a part of a name or number matches.
// decisions/0082-what-a-board-reads.md
import { type Static, Type } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Deps } from '../../deps.ts'
import { showCoverage, showPatient } from '../../platform/audit/audit-context.ts'
import type { Filter } from '../../platform/http/filters.ts'
import { asLikeText, type Condition } from '../../records/conditions.ts'
import { uncountedPageOf } from '../../records/page.ts'
import { textOrder } from '../../records/paths.ts'
import { CHUNK_BYTES } from '../../records/read-all.ts'
import { CoverageStatus, InsurancePlan } from '../coverages/coverage.schema.ts'
import { MutablePatientWithMrn } from '../patients/create-patient.ts'
import type { Asking, List } from './list.ts'
import { PatientListQuery, patientList } from './patient-list.ts'
import { ASKED, byId, coveragesById } from './related-records.ts'

type Needs = Pick<Deps, 'database'>

export const FoundPatient = Type.Object({
  patient: Type.Object({
    id: Type.String(),
    ...Type.Pick(MutablePatientWithMrn, ['name', 'birth_date', 'mrn', 'primary_telecom']).properties,
  }),
  primary_coverage: Type.Optional(Type.Object({ insurance_plan: Type.Pick(InsurancePlan, ['payer_name']) })),
  matched_coverage: Type.Optional(
    Type.Object(
      { status: CoverageStatus, insurance_plan: Type.Pick(InsurancePlan, ['payer_name', 'member_id', 'period']) },
      { description: 'The coverage by which `member_id` found the patient.' },
    ),
  ),
})

export const FoundPatientPage = uncountedPageOf(FoundPatient)

export const PatientSearchQuery = Type.Object({
  ...PatientListQuery.properties,
  family_begins: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  given_begins: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  telephone: Type.Optional(Type.String({ pattern: '\\d\\D*\\d\\D*\\d', maxLength: 100 })),
  member_id: Type.Optional(Type.String({ pattern: '([A-Za-z0-9][^A-Za-z0-9]*){4}', maxLength: 100 })),
})
type PatientSearchQuery = Static<typeof PatientSearchQuery>

/** $1 organization, $2 patients. */
const itemsStatement = {
  name: 'found_patients',
  text: `select patient.id, jsonb_strip_nulls(jsonb_build_object('id', patient.id, 'mrn', patient.mrn, 'name', patient.body -> 'name',
        'birth_date', patient.body -> 'birth_date', 'primary_telecom', patient.body -> 'primary_telecom'))::text,
      primary_coverage.body #>> '{insurance_plan,payer_name}', jsonb_build_object('patient', primary_coverage.body -> 'patient')::text
    from ${ASKED}
    ${byId('patient', 'asked.id')}
    ${coveragesById(['primary_coverage'])}
    order by asked.position`,
}

/** The list of patients, whose filters and order it has, with leaner items and without a total. */
export const patientSearch: List<PatientSearchQuery> = {
  ...patientList,
  operation: 'patientSearch.find',
  isUncounted: true,
  hidesUnlike: true,
  narrow: narrowFound,
  readItems: readFound,
}

async function narrowFound(filters: Filter[], query: PatientSearchQuery, asking: Asking): Promise<Condition[]> {
  const conditions = await patientList.narrow(filters, query, asking)
  const { family_begins: family, given_begins: given = '', telephone, member_id } = query
  const words = given.split(/[\s,"-]+/).filter(Boolean)
  const longest = [...words].sort((one, other) => other.length - one.length)[0]
  return [
    ...conditions,
    ...(telephone === undefined ? [] : [telephoneHas(telephone, asking)]),
    ...(member_id === undefined ? [] : [memberIdEnds(member_id, asking)]),
    ...(family === undefined ? [] : [familyBegins(family, asking)]),
    ...words.map((word) => givenBegins(word, asking)),
    ...(longest === undefined ? [] : wordsBegin(longest, family, asking)),
  ]
}

/**
 * The digits, whatever stands between their groups in the stored number: the groups of North America, and those of the text. With gaps between
 * all digits the index of trigrams would find nothing. decisions/0078-search-within-budgets.md
 */
function telephoneHas(text: string, { bind }: Asking): Condition {
  const groups = text.split(/\D+/).filter(Boolean)
  const digits = groups.join('').replace(/^1(?=\d{10}$)/, '')
  const ends = groups.map((_, place) => groups.slice(place).join('').length)
  const gaps = new Set([3, 6, ...ends.map((end) => digits.length - end)])
  const pattern = [...digits].map((digit, place) => (place > 0 && gaps.has(place) ? GAP + digit : digit)).join('')
  return { root: 'patient', sql: `caseless(patient.primary_telecom_value) ~ ${bind(pattern, 'text')}` }
}

const GAP = '[ ().+/-]{0,3}'

/**
 * A coverage of the patient, or of one who was merged into the patient, has the member ID: a merge moves no coverage. All coverages found are
 * joined with the merges at once: looked up for each, the merges took most of the time where many member IDs end alike.
 * decisions/0193-search-by-member-id.md
 */
function memberIdEnds(text: string, { bind }: Asking): Condition {
  const ends = coverageEnds(text, bind)
  return {
    root: 'patient',
    sql: `patient.id = any(array(
      select covered.patient::uuid from coverage covered where ${ends}
      union all select main.id from coverage covered
        join patient alternative on alternative.organization_id = $1 and alternative.id = covered.patient::uuid
        ${mergesOf('alternative', 'main')}
        where ${ends}))`,
  }
}

/**
 * The coverage `covered` has a member ID that ends with these letters and digits, or that is the whole text but the two digits that some payers print
 * behind it for the person. $1 is the organization.
 */
function coverageEnds(text: string, bind: Asking['bind']): string {
  const signs = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const backwards = (part: string) => bind([...part].reverse().join(''), 'text')
  const end = backwards(signs)
  const ends = `member_id_backwards >= ${end} and member_id_backwards < ${end} || chr(${LAST_CHARACTER})`
  const [, ofPlan] = WITH_PERSON.exec(signs) ?? []
  const isOfPlan = ofPlan === undefined ? '' : `or member_id_backwards = ${backwards(ofPlan)}`
  return `covered.organization_id = $1 and not covered.deactivated and (${ends} ${isOfPlan})`
}

/** Joins the merges of one of the two patients with the other one. */
function mergesOf(known: 'alternative' | 'main', other: 'alternative' | 'main'): string {
  const mrnOf = { alternative: 'alternative_patient_mrn', main: 'primary_patient_mrn' }
  return `join patient_merge merge on merge.organization_id = $1 and not merge.deactivated and merge.body ->> '${mrnOf[known]}' = ${known}.mrn
        join patient ${other} on ${other}.organization_id = $1 and ${other}.mrn = merge.body ->> '${mrnOf[other]}'`
}

/** `W123456789 01`: of shorter texts too many member IDs are the beginning. */
const WITH_PERSON = /^(.{8,})\d\d$/

/** A range of the order by family name, which an index has: the first of a page are found without reading the others. */
function familyBegins(text: string, { bind }: Asking): Condition {
  const [name, first] = [textOrder('patient.name_family'), textOrder(bind(text, 'text'))]
  return { root: 'patient', sql: `(${name} >= ${first} and ${name} < ${first} || chr(${LAST_CHARACTER}))` }
}

/** A word of a given name follows a quote, a blank or a hyphen in the list of them. */
function givenBegins(word: string, { bind }: Asking): Condition {
  const words = `translate(sort_key(patient.body #>> '{name,given}'), ' -', '""')`
  return { root: 'patient', sql: `strpos(${words}, '"' || sort_key(${bind(word, 'text')})) > 0` }
}

/**
 * What holds of a name with both beginnings, as the index of trigrams can find it: with one letter of the family name the range alone has a
 * tenth of all patients, each of which would be read to look at the given names. The planner takes the one where it expects fewer rows. A
 * full name is `["jane", "ann"] doe`, and what is not ASCII is compared by the other conditions alone.
 */
function wordsBegin(word: string, family: string | undefined, { bind }: Asking): Condition[] {
  if (family === undefined) return [namesHave(word, bind)]
  if (!IS_ASCII.test(word + family)) return []
  const [given, last] = [word, family].map((text) => text.toLowerCase().replace(/\W/g, '\\$&'))
  return [{ root: 'patient', sql: `lower(patient.full_name) ~ ${bind(`[" -]${given}.*\\] ${last}`, 'text')}` }]
}

/** A word of a given name alone, as the index of trigrams can find it. */
function namesHave(word: string, bind: Asking['bind']): Condition {
  const escaped = bind(asLikeText(word), 'text')
  return { root: 'patient', sql: `lower(patient.full_name) like '%' || lower(in_ascii(sort_key(${escaped}))) || '%'` }
}

const IS_ASCII = /^[ -~]*$/

const LAST_CHARACTER = 0x10ffff

async function readFound(
  { database }: Needs,
  actor: Actor,
  ids: string[],
  { member_id }: PatientSearchQuery,
): Promise<string[]> {
  if (ids.length === 0) return []
  const [rows, matched] = await Promise.all([
    database.rows({ ...itemsStatement, maxBytes: CHUNK_BYTES }, [actor.organizationId, ids]),
    member_id === undefined ? new Map<string, string>() : readMatched({ database }, actor, ids, member_id),
  ])
  return rows.map(([id = '', patient, payer, covered]) => {
    showPatient(actor, id)
    showCoverage(actor, covered)
    const coverage =
      payer == null ? '' : `,"primary_coverage":{"insurance_plan":{"payer_name":${JSON.stringify(payer)}}}`
    const match = matched.get(id)
    return `{"patient":${patient}${coverage}${match === undefined ? '' : `,"matched_coverage":${match}`}}`
  })
}

/** By patient, the coverage with the member ID: one that is active, without an end or with the last one, before others. */
async function readMatched(
  { database }: Needs,
  actor: Actor,
  ids: string[],
  text: string,
): Promise<Map<string, string>> {
  const values: unknown[] = [actor.organizationId, ids]
  const ends = coverageEnds(text, (value, type) => `$${values.push(value)}::${type}`)
  const rows = await database.rows(
    `select distinct on (holder.id) holder.id, jsonb_build_object('patient', covered.body -> 'patient')::text,
        jsonb_build_object('status', covered.body -> 'status', 'insurance_plan', jsonb_strip_nulls(jsonb_build_object(
          'payer_name', covered.body #> '{insurance_plan,payer_name}', 'member_id', covered.body #> '{insurance_plan,member_id}',
          'period', covered.body #> '{insurance_plan,period}')))::text
      from (
        select id, id as patient from unnest($2::uuid[]) as found (id)
        union all select main.id, alternative.id from patient main ${mergesOf('main', 'alternative')}
          where main.organization_id = $1 and main.id = any($2::uuid[])
      ) holder
        join coverage covered on covered.patient = holder.patient::text and ${ends}
      order by holder.id, (covered.body ->> 'status' = 'ACTIVE') desc,
        covered.body #>> '{insurance_plan,period,end}' desc nulls first, covered.id`,
    values,
  )
  for (const [, covered] of rows) showCoverage(actor, covered)
  return new Map(rows.map(([id = '', , match]) => [id, match ?? '']))
}
