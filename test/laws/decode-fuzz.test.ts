// Messages are often damaged in transit. Every fourth of more than 100,000 damaged messages, the same in every run; `npm run bench:damage` reads
// them all. A failure names its case, which can be repeated alone. Source: x12-271.md 1, 5, 11.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DecodedAnswer, decodeAnswers, UnreadableInterchangeError } from '../../src/eligibility/answers/decode.ts'
import { stediResponse } from '../../src/eligibility/answers/stedi-form/stedi-response.ts'
import type { CheckRequest } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { runCheck } from '../../src/eligibility/inquiries/run-check.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { readEnvelope } from '../../src/x12/envelope.ts'
import { readResponse } from '../../src/x12/response-reader.ts'
import { tokenize } from '../../src/x12/tokenizer.ts'
import { answerText, interchangeOf, SUBSCRIBER } from '../support/answers.ts'
import { type Dice, damage, damageDetails, dice, noise, pick } from '../support/damage.ts'

const SEED = 20_260_601
const STEP = process.env.ALL_DAMAGE ? 1 : 4
const folder = join(packageRoot, '..', 'shared', 'eligibility', 'samples', '271')
const samples = existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []

const COPAYS = 'EB*B*IND*98^1^ZQ^33***27*10*****Y~MSG*SPECIALIST~EB*A*IND*98****.2****N~III*ZZ*11~'
const AMOUNTS = 'EB*C*IND*30***23*500*****Y~EB*C*IND*30***29*100*****Y~EB*G*FAM*30***23*9000*****W~HSD*VS*12***29~'
const OTHERS = 'EB*R**30*HN~REF*18*H9999 001~LS*2120~NM1*PRP*2*OTHER PLAN~PER*IC**TE*555~LE*2120~EB*I**35~'
const DEPENDENT = `${SUBSCRIBER}HL*4*3*23*0~TRN*2*T-2~NM1*03*1*MARLOWE*FINN~DMG*D8*20150504*M~INS*N*19~DTP*346*D8*20200101~`
const active = [
  answerText(`EB*1**30**HARBOR GOLD~${AMOUNTS}${COPAYS}${OTHERS}`),
  answerText(`EB*1*FAM*30*PR*HARBOR~DTP*291*RD8*20260101-20261231~${COPAYS}`, DEPENDENT),
  answerText(`EB*1**30~${COPAYS}`).replaceAll('~\n', '~').replaceAll('~', '\n'),
]
/** Messages that state, in every possible way, that no coverage is known. */
const withoutCoverage = [
  answerText(`EB*6**30**HARBOR GOLD~${AMOUNTS}${COPAYS}${OTHERS}`),
  answerText('EB*7**30~EB*I**98~', DEPENDENT),
  answerText('', `${SUBSCRIBER}AAA*N**75*C~`),
  answerText(`EB*V**30~EB*U**30~${OTHERS}`),
  interchangeOf('HL*1**20*1~NM1*PR*2*NORTHWIND*****PI*N~AAA*N**42*R~'),
]
const corpus = [...samples, ...active, ...withoutCoverage]

/** Tries a share of the cases, and names the failed one, so that it can be repeated alone. */
function each(cases: number, name: string, run: (random: Dice, index: number) => void, from = 0): void {
  for (let index = from; index < from + cases; index += STEP) {
    try {
      run(dice(SEED + index), index)
    } catch (error) {
      throw new Error(`${name}, case ${index} of seed ${SEED}: ${String(error)}`, { cause: error })
    }
  }
}

/** Runs every consumer of an answer. The only error allowed is the declared one. */
function understand(text: string): DecodedAnswer[] {
  try {
    return decodeAnswers(text).transactions.flatMap(({ warnings, rejections, answers }) => {
      const response = { controlNumber: '1', warnings, rejections, patients: answers.map(({ patient }) => patient) }
      for (const { patient } of answers) stediResponse(response, patient, { raw: text })
      return answers
    })
  } catch (error) {
    if (!(error instanceof UnreadableInterchangeError)) throw error
    return []
  }
}

const isActive = ({ parsed }: DecodedAnswer) => parsed.eligibility_status === 'ACTIVE'

/** Whether a text contains anything that could be read as an active EB, with or without line breaks. */
function mentionsCoverage(text: string): boolean {
  const pattern = /EB\s*[^A-Za-z0-9]\s*[1-5]\s*(?![A-Za-z0-9])/i
  return pattern.test(text) || pattern.test(text.replaceAll(/[\r\n]+/g, ''))
}

const countPieces = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum, item) => sum + countPieces(item), 1)
    : 1

/** `expect` takes about 15 µs, for which a small message is read: it is called only with what it reports. */
function expectNone(found: readonly unknown[]): void {
  if (found.length > 0) expect(found).toEqual([])
}

function expectProportion(text: string, answers: readonly DecodedAnswer[]): void {
  const segments = [...tokenize(text)].length
  const rows = answers.reduce((sum, { patient }) => sum + patient.benefits.length, 0)
  const pieces = answers.reduce((sum, { parsed }) => sum + countPieces(parsed), 0)
  const limited = [
    { name: 'segments', count: segments, limit: text.length },
    { name: 'answers', count: answers.length, limit: segments },
    { name: 'rows', count: rows, limit: 11 * segments },
    { name: 'pieces', count: pieces, limit: 200 + 20 * text.length },
  ]
  expectNone(limited.filter(({ count, limit }) => !(count <= limit)))
}

describe('a message damaged in transit', () => {
  // In parts, so that none comes near the time limit of a test on a slow machine.
  test.each([0, 1, 2, 3, 4, 5, 6])(
    'is understood or refused: no other error, and never more segments, rows or output than its size allows (part %d)',
    (part) => {
      let undamaged = 0
      each(
        10_000,
        'damage',
        (random, index) => {
          const whole = pick(corpus, random)
          const text = damage(whole, random, corpus)
          if (text === whole) undamaged += 1
          const answers = understand(text)
          if (index % 8 === 0) expectProportion(text, answers)
        },
        part * 10_000,
      )
      expect(undamaged).toBeLessThan(1000 / STEP)
    },
  )

  test('never becomes coverage when it contains none', () => {
    let judged = 0
    each(15_000, 'without coverage', (random) => {
      const text = damage(pick(withoutCoverage, random), random, withoutCoverage)
      if (mentionsCoverage(text)) return
      const patients = understand(text)
      judged += patients.length
      expectNone(patients.filter(isActive))
    })
    expect(judged).toBeGreaterThan(10_000 / STEP)
  })

  test('never becomes coverage through its other segments', () => {
    let judged = 0
    each(6_000, 'details', (random) => {
      const patients = understand(damageDetails(pick(withoutCoverage, random), random))
      judged += patients.length
      expectNone(patients.filter(isActive))
    })
    expect(judged).toBeGreaterThan(5_000 / STEP)
  })

  test('loses its coverage together with its active rows', () => {
    let judged = 0
    each(6_000, 'rows gone', (random) => {
      const bare = pick([...active, ...samples], random).replaceAll(
        /^\s*EB\W[1-5]\b[^~\n]*[~\n]|~\s*EB\W[1-5]\b[^~]*(?=~)/gm,
        '',
      )
      const text = damage(bare, random, withoutCoverage)
      if (mentionsCoverage(text)) return
      const patients = understand(text)
      judged += patients.length
      expectNone(patients.filter(isActive))
    })
    expect(judged).toBeGreaterThan(3_000 / STEP)
  })
})

test('noise is never coverage', () => {
  const active: unknown[] = []
  each(15_000, 'noise', (random) => {
    active.push(...understand(noise(random)).filter(isActive))
  })
  expect(active).toEqual([])
})

describe('a truncated answer', () => {
  /** The request that would lead to this answer. */
  function requestFor(text: string): CheckRequest | undefined {
    const [patient] = readEnvelope(text)
      .transactions.map(readResponse)
      .flatMap(({ patients }) => patients)
    const { subscriber, dependent } = patient ?? {}
    if (!subscriber?.lastName) return undefined
    const toMember = (party: typeof subscriber) => ({
      memberId: party.id,
      firstName: party.firstName ?? '',
      lastName: party.lastName ?? '',
      dateOfBirth: party.birthDate?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
    })
    return {
      payerId: 'PAYER',
      provider: { npi: '1999999984' },
      subscriber: toMember(subscriber),
      ...(dependent && { dependent: toMember(dependent) }),
      dateOfService: '2026-03-01',
      serviceTypeCodes: ['30'],
    }
  }

  async function statusOf(text: string, request: CheckRequest): Promise<string | undefined> {
    const clearinghouse = { name: 'fuzz', checkEligibility: async () => ({ rawResponse: text }) }
    const options = { organizationId: 'ORGANIZATION', checkId: '01a1fc1d', controlNumber: 1, at: new Date(0) }
    return (await runCheck(clearinghouse, request, options)).parsedResponse?.eligibility_status
  }

  test('anywhere before its SE is not coverage', async () => {
    const asked = corpus.flatMap((text) => {
      const request = requestFor(text)
      return request ? [{ text, request, end: text.search(/[~\n\r]\s*SE\W/) }] : []
    })
    let whole = 0
    for (const { text, request } of asked) if ((await statusOf(text, request)) === 'ACTIVE') whole += 1
    // The test is meaningful only if the complete answers are active.
    expect(whole).toBeGreaterThanOrEqual(active.length)
    const cuts = asked.flatMap(({ end }, index) => (end > 0 ? [{ index, end }] : []))
    for (let round = 0; round < 8_000; round += STEP) {
      const random = dice(SEED + round)
      const { index, end } = pick(cuts, random)
      const { text, request } = asked[index]!
      const at = random(end + 1)
      expect(await statusOf(text.slice(0, at), request), `answer ${index} cut at ${at}`).not.toBe('ACTIVE')
    }
  })
})
