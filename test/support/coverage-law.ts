// The rule that no mutation of an answer may break: no ACTIVE without an active row of that person, in force on that day and not rejected.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckMember, CheckRequest } from '../../src/eligibility/inquiries/check-inquiry.ts'
import { runCheck } from '../../src/eligibility/inquiries/run-check.ts'
import { packageRoot } from '../../src/platform/package-root.ts'
import { mutate } from './answer-mutations.ts'
import { answerText, SUBSCRIBER } from './answers.ts'
import { type AskedAbout, allowsActive } from './coverage-oracle.ts'
import { dice } from './damage.ts'

interface Sample {
  name: string
  text: string
  asked: AskedAbout
  request: CheckRequest
}

const TRACE = 'T1'
const DEPENDENT = `${SUBSCRIBER}HL*4*3*23*0~TRN*2*T-2~NM1*03*1*MARLOWE*ROBERT~DMG*D8*20150504*M~INS*N*19~`

/** The sample messages beside the repository, if present, and our own, with the same delimiters. */
export function coverageSamples(): Sample[] {
  const folder = join(packageRoot, '..', 'shared', 'eligibility', 'samples', '271')
  const theirs = existsSync(folder)
    ? readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
    : []
  const ours = [
    ['plan', answerText('EB*1**30~EB*B**98***27*25*****Y~')],
    ['dependent', answerText('EB*1**30~DTP*346*D8*20200101~EB*1**98~', DEPENDENT)],
    ['inherited', answerText('', DEPENDENT).replace('HL*4', 'EB*1**30~HL*4')],
    [
      'services',
      answerText('EB*1**88~EB*6**98~EB*1**35~DTP*349*D8*20261231~', `${SUBSCRIBER}DTP*307*RD8*20260301-20260301~`),
    ],
    [
      'years',
      answerText('EB*1**30*PR*GOLD~DTP*291*RD8*20260101-20261231~EB*1**30*PR*SILVER~DTP*291*RD8*20250101-20251231~'),
    ],
  ] as const
  return [...theirs, ...ours].map(([name, text]) => toSample(name, text))
}

function toSample(name: string, original: string): Sample {
  const text = (original.includes('~') ? original.replaceAll(/[\r\n]+/g, '') : original.replaceAll(/[\r\n]+/g, '~'))
    .replaceAll('>', '^')
    .replaceAll(/TRN\*2\*[^*~]*/g, `TRN*2*${TRACE}`)
  const segments = text.split('~').map((segment) => segment.split('*'))
  const named = (...codes: string[]) =>
    segments.findLast(([id, code = '']) => id === 'NM1' && codes.includes(code)) ?? []
  const dependent = named('03', 'QC')
  const subscriber = segments.find(([id, code]) => id === 'NM1' && code === 'IL') ?? []
  const birthDate = segments.findLast(([id]) => id === 'DMG')?.[2] ?? ''
  const member = (elements: string[], birth: string): CheckMember => ({
    firstName: elements[4] ?? '',
    lastName: elements[3] ?? '',
    ...(elements[9] && { memberId: elements[9] }),
    ...(birth && { dateOfBirth: birth.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') }),
  })
  const isDependent = dependent.length > 0
  const patient = isDependent ? dependent : subscriber
  const day = segments.find(([id]) => id === 'BHT')?.[4] ?? '20260301'
  const [firstName = '', lastName = '', memberId = ''] = [patient[4], patient[3], subscriber[9]]
  return {
    name,
    text,
    asked: { firstName, lastName, birthDate, memberId, isDependent, day },
    request: {
      payerId: 'PAYER',
      provider: { npi: '1999999984' },
      subscriber: member(subscriber, isDependent ? '' : birthDate),
      ...(isDependent && { dependent: member(dependent, birthDate) }),
      dateOfService: day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
      serviceTypeCodes: ['30'],
    },
  }
}

/**
 * Tries to break the rule with `count` mutations of a sample, from a seed. Returns how often the answer was ACTIVE.
 * @throws Error that names the first case in which it must not be.
 */
export async function tryLaw({ name, text, asked, request }: Sample, seed: number, count: number): Promise<number> {
  let active = 0
  const answer = { rawResponse: text }
  const clearinghouse = { name: 'law', checkEligibility: async () => answer }
  for (let index = 0; index < count; index += 1) {
    answer.rawResponse = mutate(text, dice(seed + index), asked.day)
    const outcome = await runCheck(clearinghouse, request, {
      organizationId: 'ORGANIZATION',
      checkId: TRACE,
      controlNumber: 1,
      at: new Date(0),
    })
    if (outcome.parsedResponse?.eligibility_status !== 'ACTIVE') continue
    active += 1
    if (!allowsActive(answer.rawResponse, asked)) {
      throw new Error(
        `${name}, case ${index} of seed ${seed} is ACTIVE against the rules:\n${answer.rawResponse.replaceAll('~', '~\n')}`,
      )
    }
  }
  return active
}
