import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { explainMessage } from './explain.ts'
import { inquirySegments } from './inquiry-writer.ts'
import { segmentTerms } from './segment-dictionary.ts'

const ISA = 'ISA*00*          *00*          *ZZ*PAYER          *ZZ*CLINIC         *260601*1200*^*00501*000000001*0*P*:~'

async function meaningsOf(segments: string): Promise<Record<string, string | undefined>> {
  const { segments: explained } = (await explainMessage(`${ISA}${segments}`, 1000))!
  return Object.fromEntries(
    explained.slice(1).flatMap(({ elements }) => elements.map(({ position, meaning }) => [position, meaning] as const)),
  )
}

it('names each segment and element and explains each code', async () => {
  const { segments } = (await explainMessage(`${ISA}EB*B*IND*98^UC*HM*GOLD PLAN*27*25*.2***Y*Y~AAA*N**75*C~`, 1000))!
  expect(segments[1]).toEqual({
    id: 'EB',
    name: 'Eligibility or Benefit Information',
    elements: [
      { position: 'EB01', name: 'Eligibility or Benefit Information Code', value: 'B', meaning: 'Co-Payment' },
      { position: 'EB02', name: 'Coverage Level Code', value: 'IND', meaning: 'Individual' },
      {
        position: 'EB03',
        name: 'Service Type Code',
        value: '98^UC',
        meaning: 'Professional (Physician) Visit - Office, Urgent Care',
      },
      {
        position: 'EB04',
        name: 'Insurance Type Code',
        value: 'HM',
        meaning: 'Health Maintenance Organization (HMO)',
      },
      { position: 'EB05', name: 'Plan Coverage Description', value: 'GOLD PLAN' },
      { position: 'EB06', name: 'Time Period Qualifier', value: '27', meaning: 'Visit' },
      { position: 'EB07', name: 'Monetary Amount', value: '25', meaning: '$25.00' },
      { position: 'EB08', name: 'Percentage as Decimal', value: '.2', meaning: '20 %' },
      { position: 'EB11', name: 'Authorization or Certification Indicator', value: 'Y', meaning: 'Yes' },
      { position: 'EB12', name: 'In Plan Network Indicator', value: 'Y', meaning: 'Yes' },
    ],
  })
  expect(segments[2]?.elements).toContainEqual(
    expect.objectContaining({ position: 'AAA03', meaning: 'Subscriber/Insured Not Found' }),
  )
})

it('writes dates, periods, times, composites and table keys in words', async () => {
  expect(
    await meaningsOf('DTP*291*RD8*20260101-20261231~DMG*D8*19800229*F~REF*6P*G1~EB*B**********Y*Y*HC:99213~III*ZZ*11~'),
  ).toMatchObject({
    DTP01: 'Plan',
    DTP03: '2026-01-01 to 2026-12-31',
    DMG02: '1980-02-29',
    DMG03: 'Female',
    REF01: 'Group number',
    EB13: expect.stringContaining('Procedur'),
    III02: 'Office',
  })
})

it('shows a code that no table has without a meaning, even one named like a built-in property', async () => {
  expect(await meaningsOf('EB*constructor*__proto__*toString~III*BK*11~HL*__proto__**constructor~')).toEqual({
    EB01: undefined,
    EB02: undefined,
    EB03: undefined,
    III01: 'Principal Diagnosis',
    III02: undefined,
    HL01: undefined,
    HL03: undefined,
  })
})

it('shows a segment or element that the standard does not define unchanged', async () => {
  const { segments } = (await explainMessage(`${ISA}ZZZ*1~LS*2120*more~`, 1000))!
  expect(segments.slice(1)).toEqual([
    { id: 'ZZZ', elements: [{ position: 'ZZZ01', value: '1' }] },
    {
      id: 'LS',
      name: 'Loop Header',
      elements: [
        { position: 'LS01', name: 'Loop Identifier Code', value: '2120' },
        { position: 'LS02', value: 'more' },
      ],
    },
  ])
})

it('does not explain text that is not X12, and reports how many segments of a long message are left out', async () => {
  expect(await explainMessage('{"errors":[]}', 10)).toBeUndefined()
  expect(await explainMessage('', 10)).toBeUndefined()
  const { segments, leftOut } = (await explainMessage(`${ISA}${'MSG*TEXT~'.repeat(50)}`, 10))!
  expect([segments.length, leftOut]).toEqual([10, 41])
})

it('has a name for every segment that we write and for each of its elements', async () => {
  const written = inquirySegments(
    {
      reference: 'R',
      traceNumber: 'T',
      payer: { id: 'P', name: 'PAYER' },
      provider: { npi: '1999999984', organizationName: 'CLINIC' },
      subscriber: { memberId: 'M', firstName: 'A', lastName: 'B', dateOfBirth: '1980-01-01' },
      dateOfService: '2026-01-01',
      serviceTypeCodes: ['30'],
    },
    { senderId: 'S', receiverId: 'R', controlNumber: 1, at: new Date(0) } as never,
  )
  for (const [id, ...elements] of written) {
    const known = segmentTerms.get(id)
    expect(known, id).toBeDefined()
    expect(elements.length, id).toBeLessThanOrEqual(known!.elements.length)
  }
})

it('explains a long message in turns', async () => {
  let turns = 0
  const turn = () => {
    turns += 1
    return undefined
  }
  await explainMessage(`${ISA}${'EB*B*IND*98^UC~'.repeat(3_000)}`, 2_000, turn)
  expect(turns).toBe(40)
})

it('explains no share of endless digits', async () => {
  // Quadratic work on this length would run into the time limit of the tests.
  const digits = '0'.repeat(1_400_000)
  expect((await meaningsOf(`EB*A*IND*30*****${digits}x~`)).EB08).toBeUndefined()
  expect((await meaningsOf('EB*A*IND*30*****.2~')).EB08).toBe('20 %')
})

const samples = join(import.meta.dirname, '../../../shared/eligibility/samples/271')
const names = (() => {
  try {
    return readdirSync(samples)
  } catch {
    return []
  }
})()
it.skipIf(names.length === 0)(
  'has a name for every segment of the published samples (skipped without the samples)',
  async () => {
    const unknown: string[] = []
    for (const name of names) {
      const explained = await explainMessage(readFileSync(join(samples, name), 'utf8'), 100_000)
      unknown.push(
        ...(explained?.segments.filter((segment) => segment.name === undefined).map(({ id }) => `${name} ${id}`) ?? []),
      )
    }
    expect(unknown).toEqual([])
  },
)
