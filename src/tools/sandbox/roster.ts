import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { packageFile } from '../../platform/package-root.ts'
import { readBenefitLine } from './benefit-lines.ts'
import { isRejectReason } from './reject-places.ts'

const text = Type.String({ minLength: 1 })
/** Maximum lengths of the elements of a 271. Source: 005010X279A1 NM1, REF, N3, N4, PER, EB. */
const upTo = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength })
const isoDate = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const gender = Type.Union([Type.Literal('F'), Type.Literal('M')])
const closed = { additionalProperties: false }
const benefits = Type.Array(text)

const Payer = Type.Object(
  {
    id: upTo(80, 2),
    name: upTo(60),
    aliases: Type.Optional(Type.Array(text)),
    phone: Type.Optional(upTo(256)),
    /** Other common names of the payer. */
    names: Type.Optional(Type.Array(text)),
    /** `MEDICARE` has no coordination of benefits. */
    programs: Type.Optional(Type.Array(text)),
    coverageTypes: Type.Optional(
      Type.Array(Type.Union([Type.Literal('medical'), Type.Literal('dental'), Type.Literal('vision')])),
    ),
  },
  closed,
)

const Plan = Type.Object({ name: upTo(50), insuranceType: Type.Optional(upTo(3)), benefits }, closed)

const person = {
  firstName: upTo(35),
  lastName: upTo(60),
  middleName: Type.Optional(upTo(25)),
  birthDate: isoDate,
  gender,
}

const Dependent = Type.Object(
  { ...person, relationship: Type.Union([Type.Literal('spouse'), Type.Literal('child'), Type.Literal('other')]) },
  closed,
)

/** How the sandbox deviates from answering immediately and correctly. */
const Answer = Type.Object(
  {
    /** Milliseconds to wait before answering. */
    afterMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** An AAA03 reason code. The member is then found by payer and member id alone. */
    reject: Type.Optional(Type.String({ pattern: '^[0-9A-Z]{2}$' })),
    instead: Type.Optional(
      Type.Union([
        Type.Literal('nothing'),
        Type.Literal('html'),
        Type.Literal('empty'),
        Type.Literal('half-envelope'),
        Type.Literal('truncated-271'),
        Type.Literal('another-patient'),
        Type.Literal('999'),
        Type.Literal('TA1'),
        Type.Literal('error-code'),
        Type.Literal('soap-fault'),
        Type.Literal('http-503'),
      ]),
    ),
  },
  closed,
)

/** Another coverage of the same person, as recorded in a registry of payers. */
const OtherCoverage = Type.Object(
  {
    payer: text,
    memberId: text,
    /** The subscriber of that coverage, when it is not the member's own. */
    insured: Type.Optional(Type.Object({ firstName: text, lastName: text }, closed)),
    from: isoDate,
    to: Type.Optional(isoDate),
    /** Service types that it covers. */
    services: Type.Array(text, { minItems: 1 }),
    /** Which of the two coverages pays first; undetermined when left out. */
    primary: Type.Optional(Type.Union([Type.Literal('here'), Type.Literal('there')])),
    /** False for coverages that both pay, without an order of payment. */
    isCoordinated: Type.Optional(Type.Boolean()),
  },
  closed,
)

const Member = Type.Object(
  {
    /** Why the roster has this member, for people who read the roster. */
    about: text,
    payer: text,
    memberId: upTo(80, 2),
    ...person,
    /** Nine digits that were never issued: they begin with 9. */
    ssn: Type.Optional(Type.String({ pattern: '^9\\d{8}$' })),
    plan: text,
    group: Type.Optional(Type.Object({ number: upTo(50), name: Type.Optional(upTo(80)) }, closed)),
    address: Type.Optional(
      Type.Object(
        {
          line1: upTo(55),
          city: upTo(30, 2),
          state: Type.String({ pattern: '^[A-Z]{2}$' }),
          postalCode: Type.String({ pattern: '^\\d{5}(\\d{4})?$' }),
        },
        closed,
      ),
    ),
    /** The first and last day of coverage; open when `to` is left out. */
    from: isoDate,
    to: Type.Optional(isoDate),
    dependents: Type.Optional(Type.Array(Dependent)),
    /** Values of the payer's records that differ from the inquiry's; answered with INS 001/25. */
    corrections: Type.Optional(
      Type.Object(
        {
          firstName: Type.Optional(upTo(35)),
          lastName: Type.Optional(upTo(60)),
          memberId: Type.Optional(upTo(80, 2)),
        },
        closed,
      ),
    ),
    /** Benefit lines in addition to those of the plan: other payers, notes, enrollments. */
    benefits: Type.Optional(benefits),
    otherCoverage: Type.Optional(OtherCoverage),
    answer: Type.Optional(Answer),
  },
  closed,
)

export const Roster = Type.Object(
  { payers: Type.Array(Payer), plans: Type.Record(Type.String(), Plan), members: Type.Array(Member) },
  closed,
)
export type Roster = Static<typeof Roster>
export type RosterPayer = Static<typeof Payer>
type RosterPlan = Static<typeof Plan>
export type RosterMember = Static<typeof Member>
export type RosterDependent = Static<typeof Dependent>
export type RosterAnswer = Static<typeof Answer>
export type OtherCoverage = Static<typeof OtherCoverage>

/** The roster that ships with the project: invented people, including the published mocks. */
const defaultRosterPath = packageFile('src', 'tools', 'sandbox', 'roster.json')

/**
 * Reads and checks a roster file.
 * @throws Error that lists every fault with its place, so that all of them can be corrected at once.
 */
export async function readRoster(path: string = defaultRosterPath): Promise<Roster> {
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`the roster ${path} cannot be read`, { cause })
  })
  let data: unknown
  try {
    data = JSON.parse(content)
  } catch (cause) {
    throw new Error(`the roster ${path} is not JSON: ${(cause as Error).message}`, { cause })
  }
  // The roster of the program is checked by its tests, not at each start.
  return path === defaultRosterPath ? (data as Roster) : checkRoster(data, path)
}

/** @throws Error that lists every fault. `name` identifies the roster in its text. */
export function checkRoster(data: unknown, name = 'given'): Roster {
  const faults = Value.Check(Roster, data)
    ? listFaults(data)
    : Value.Errors(Roster, data).map((error) => `${error.instancePath || '/'} ${error.message}`)
  if (faults.length > 0) throw new Error(`the roster ${name} has faults:\n  ${[...new Set(faults)].join('\n  ')}`)
  return data as Roster
}

function listFaults(roster: Roster): string[] {
  const faults: string[] = []
  for (const [key, plan] of Object.entries(roster.plans)) {
    collectLineFaults(faults, `/plans/${key}/benefits`, plan.benefits, plan)
  }
  const payerIds = new Set(roster.payers.map(({ id }) => id))
  const seen = new Set<string>()
  for (const [index, member] of roster.members.entries()) {
    const place = `/members/${index} (${member.memberId})`
    const plan = roster.plans[member.plan]
    const { reject } = member.answer ?? {}
    if (reject !== undefined && !isRejectReason(reject)) faults.push(`${place} answer/reject is not a reject reason`)
    if (!payerIds.has(member.payer)) faults.push(`${place} payer "${member.payer}" is not in payers`)
    if (!plan) faults.push(`${place} plan "${member.plan}" is not in plans`)
    else collectLineFaults(faults, `${place} benefits`, member.benefits ?? [], plan)
    const { otherCoverage } = member
    if (otherCoverage && !payerIds.has(otherCoverage.payer))
      faults.push(`${place} otherCoverage payer "${otherCoverage.payer}" is not in payers`)
    const other = otherCoverage && roster.members.find((each) => keyOf(each) === keyOf(otherCoverage))
    if (other && (other.from !== otherCoverage.from || other.to !== otherCoverage.to))
      faults.push(`${place} otherCoverage is in force on other days than ${other.memberId} of ${other.payer}`)
    const key = keyOf(member)
    if (seen.has(key)) faults.push(`${place} memberId is used twice with this payer`)
    seen.add(key)
  }
  return faults
}

const keyOf = ({ payer, memberId }: { payer: string; memberId: string }) => `${payer} ${memberId.toUpperCase()}`

function collectLineFaults(faults: string[], place: string, lines: string[], plan: RosterPlan): void {
  for (const [index, line] of lines.entries()) {
    try {
      readBenefitLine(line, plan)
    } catch (error) {
      faults.push(`${place}/${index} ${(error as Error).message}`)
    }
  }
}
