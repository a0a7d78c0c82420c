// An answer in JSON whose parts have another shape than its description says reads as the usual one does, or it leaves no visit READY: no denial, limit or
// other insurance is lost with a shape, and no figure is read wrongly. decisions/0215-odd-shapes-and-odd-transport.md
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/clearinghouses/json-values.ts'
import type { CheckOutcome } from '../../src/eligibility/answers/outcome.ts'
import type { CheckMember, CheckRequest } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { type Door, throughText, writtenIn } from '../support/answer-doors.ts'
import { interchangeOf, SUBSCRIBER } from '../support/answers.ts'
import { figuresOf } from '../support/figures-of.ts'
import { ODDITIES, placesIn, WHOLE, withNamesTwice, withValueAt } from '../support/odd-shapes.ts'

const FORMS = ['benefits', 'plans', 'availity'] as const
type Form = (typeof FORMS)[number]

interface Line {
  payer?: string
  rows?: string
  levels?: string
  form?: Form
  json?: JsonObject
  subscriber?: CheckMember
  dependent?: CheckMember
  services?: string[]
  not?: Door[]
  message?: string
}

const IRIS = { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' }
const DAY = '2026-03-09'

/** One of so many messages with a known truth; a prime, so that all kinds are among them. */
const STRIDE = 97
/** Of single values, in each of them. */
const CHANGES = 8

const lines = readFileSync(join(packageRoot, 'test', 'truth', 'messages.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .filter((_, index) => index % STRIDE === 0)
  .map((line) => JSON.parse(line) as Line)
  .filter(({ message }) => message === undefined)

interface Usual {
  form: Form
  json: JsonObject
  request: CheckRequest
}

function usualOf(form: Form, line: Line): Usual | undefined {
  const { payer = 'NORTHWIND HEALTH', rows, levels, subscriber = IRIS, dependent, services = ['30'], not = [] } = line
  if (not.includes(form) || (line.form !== undefined && line.form !== form)) return undefined
  const source = `HL*1**20*1~NM1*PR*2*${payer}*****PI*P1~HL*2*1*21*1~NM1*1P*2*HARBOR CLINIC*****XX*1999999984~`
  const json = line.json ?? writtenIn(form, interchangeOf(source + (levels ?? SUBSCRIBER + rows)), DAY)
  const who = { subscriber, ...(dependent && { dependent }) }
  const request = { payerId: 'P1', provider: { npi: '1999999984' }, ...who, dateOfService: DAY }
  return { form, json, request: { ...request, serviceTypeCodes: services } }
}

const isReady = ({ parsedResponse, readinessIssues = [] }: CheckOutcome) =>
  parsedResponse?.eligibility_status === 'ACTIVE' && readinessIssues.length === 0

const figures = ({ parsedResponse }: CheckOutcome) =>
  figuresOf(parsedResponse ?? {}).map(({ value, ...place }) => `${Object.values(place).join(' ')} ${value}`)

/** What is wrong with the odd answer, compared with the usual one. */
function faultOf(odd: CheckOutcome, usual: CheckOutcome): string | undefined {
  if (isReady(odd) && !isReady(usual)) return 'READY by its shape'
  const [read, stated] = [figures(odd), figures(usual)]
  const wrong = read.filter((figure) => !stated.includes(figure))
  if (wrong.length > 0) return `a wrong figure: ${wrong[0]}`
  const lost = stated.filter((figure) => !read.includes(figure))
  return isReady(odd) && lost.length > 0 ? `READY without its figure: ${lost[0]}` : undefined
}

/** Numbers from 0 to 1, the same in each run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Changes of single values, drawn for each answer, and all changes of whole answers. */
function* changed({ json }: Usual, seed: number): Generator<[name: string, text: string]> {
  const roll = dice(seed)
  const places = placesIn(json)
  for (let made = 0, tries = 0; made < CHANGES && tries < CHANGES * 20; tries++) {
    const { path, key, value } = places[Math.floor(roll() * places.length)]!
    const oddity = ODDITIES[Math.floor(roll() * ODDITIES.length)]!
    const odd = oddity.change(value, key)
    if (odd === undefined) continue
    made += 1
    yield [`${oddity.name} at ${path.join('.')}`, JSON.stringify(withValueAt(json, path, odd))]
  }
  for (const [name, change] of Object.entries(WHOLE)) yield [name, JSON.stringify(change(json))]
  yield ['names twice', withNamesTwice(json)]
}

test.each(FORMS)('an answer of odd shapes in the form %s reads as usual, or leaves no visit READY', async (form) => {
  const faults: string[] = []
  const counts = { answers: 0, changes: 0, ready: 0, asUsual: 0 }
  for (const [index, line] of lines.entries()) {
    const usual = usualOf(form, line)
    if (usual === undefined) continue
    const { request } = usual
    const expected = await throughText(form, JSON.stringify(usual.json), request)
    counts.answers += 1
    for (const [name, text] of changed(usual, index + 1)) {
      const odd = await throughText(form, text, request)
      counts.changes += 1
      if (isReady(expected)) counts.ready += 1
      if (isReady(expected) && isReady(odd)) counts.asUsual += 1
      const fault = faultOf(odd, expected)
      if (fault !== undefined) faults.push(`${name}: ${fault}: ${JSON.stringify(line).slice(0, 300)}`)
    }
  }
  // Most odd shapes of an answer that is READY are read.
  expect(counts.asUsual).toBeGreaterThan(counts.ready * 0.8)
  expect(faults).toEqual([])
})
