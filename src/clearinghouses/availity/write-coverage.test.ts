import { expect, test } from 'vitest'
import { answerAbout } from '../../../test/support/answers.ts'
import type { BenefitRow } from '../../x12/model.ts'
import { writeCoverage } from './write-coverage.ts'

const frame = {
  id: 'c1',
  createdAt: new Date('2026-01-31T12:00:00.000Z'),
  payerId: 'P1',
  dateOfService: '2026-01-31',
  serviceTypeCodes: ['30'],
}
const many = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => row(at)).join('')

/** Counts how often a value is looked at. */
function counted() {
  let looks = 0
  const look = <Value>(value: Value): Value => {
    looks += 1
    return value
  }
  return { look, looks: () => looks }
}

function watch(rows: BenefitRow[], name: keyof BenefitRow, look: <Value>(value: Value) => Value): void {
  for (const row of rows) {
    const value = row[name]
    Object.defineProperty(row, name, { get: () => look(value) })
  }
}

test.each<[what: string, lookedAt: (count: number) => number]>([
  [
    'totals and of remainders that belong to none of them',
    (count) => {
      const { look, looks } = counted()
      const patient = answerAbout(many(count, () => 'EB*C*IND*30***23*500~') + many(count, () => 'EB*C*IND*30***29*5~'))
      for (const [index, row] of patient.benefits.entries())
        row.messages = [{ toJSON: () => look(`${index}`) } as unknown as string]
      writeCoverage(patient, frame)
      return looks()
    },
  ],
  [
    'services in each of several rows',
    (count) => {
      const { look, looks } = counted()
      const codes = Array.from({ length: count }, (_, index) => `S${index}`)
      const patient = answerAbout(`EB*B*IND*${codes.join('^')}***27*5~`.repeat(3))
      for (const row of patient.benefits) Object.defineProperty(row, 'deliveries', { get: () => look([]) })
      writeCoverage(patient, frame)
      return looks() * count
    },
  ],
  [
    'plans',
    (count) => {
      const { look, looks } = counted()
      const patient = answerAbout(
        many(count, (index) => `EB*1**30**PLAN ${index}~`) + many(count, () => 'EB*B**98***27*5~'),
      )
      watch(patient.benefits, 'planDescription', look)
      writeCoverage(patient, frame)
      return looks()
    },
  ],
  [
    'types of insurance',
    (count) => {
      const { look, looks } = counted()
      const patient = answerAbout(many(count, (index) => `EB*1**30*T${index}~`))
      watch(patient.benefits, 'insuranceType', look)
      writeCoverage(patient, frame)
      return looks()
    },
  ],
  [
    'plans and dates of the member',
    (count) => {
      const { look, looks } = counted()
      const patient = answerAbout(many(count, (index) => `EB*1**30**PLAN ${index}~`))
      const date = {
        get qualifier() {
          return look('346')
        },
        format: 'D8',
        raw: '20260101',
        start: '20260101',
      }
      patient.subscriber.dates = Array.from({ length: count }, () => date)
      writeCoverage(patient, frame)
      return looks()
    },
  ],
])('the work for an answer of thousands of %s grows with their number, not with its square', (_, lookedAt) => {
  const [once, twice] = [lookedAt(200), lookedAt(400)]
  expect(once).toBeGreaterThan(0)
  expect(twice).toBeLessThanOrEqual(2.1 * once)
})

test('a remainder joins the first total of its kind, network, level and notes that has none yet', () => {
  const rows = [
    'EB*C*IND*30***23*1000*****Y~',
    'EB*C*FAM*30***23*2000*****Y~',
    'EB*C*IND*30***23*3000*****N~',
    'EB*C*IND*30***29*10*****Y~',
    'EB*C*IND*30***29*20*****Y~',
    'EB*C*FAM*30***29*30*****Y~MSG*TIER 2~',
  ]
  const { plans } = writeCoverage(answerAbout(`EB*1**30~${rows.join('')}`), frame) as never as {
    plans: { benefits: { amounts: { deductibles: Record<string, { total?: string; remaining?: string }[]> } }[] }[]
  }
  const { inNetwork = [], outOfNetwork = [] } = plans[0]?.benefits[0]?.amounts.deductibles ?? {}
  const shown = (entries: typeof inNetwork) => entries.map(({ total, remaining }) => [total, remaining])
  expect(shown(inNetwork)).toEqual([
    ['1000', '10'],
    ['2000', undefined],
    [undefined, '20'],
    [undefined, '30'],
  ])
  expect(shown(outOfNetwork)).toEqual([['3000', undefined]])
})
