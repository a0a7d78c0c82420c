import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packageRoot } from '../../platform/package-root.ts'
import { decodeResponse, UnreadableInterchangeError } from './decode.ts'
import type { ParsedResponse } from './wire.ts'

const samples = join(packageRoot, '..', 'shared', 'eligibility', 'samples')
const { ParsedResponse: publishedReader } = createRequire(import.meta.url)(
  'candidhealth/serialization/resources/preEncounter/resources/eligibilityChecks/resources/v1/types/ParsedResponse',
)

/** Reads the object strictly, after a round trip through JSON, as a client does. */
function readAsClient(parsed: ParsedResponse): { eligibilityStatus: string } {
  return publishedReader.parseOrThrow(JSON.parse(JSON.stringify(parsed)), { unrecognizedObjectKeys: 'fail' })
}

function decodeOrRefuse(text: string): ParsedResponse[] {
  try {
    return decodeResponse(text).transactions.flatMap(({ patients }) => patients)
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableInterchangeError)
    return []
  }
}

interface Proposal {
  source: string
  transactions: {
    errors: { loop: string; code: string; followup: string }[]
    patients: { eligibility_status: string; plan_metadata?: Record<string, unknown>; benefits?: { notes?: string } }[]
  }[]
}

/**
 * Where our decoding differs from the proposals that accompany the samples, and why:
 * - `additional_notes` are worded differently: periods and units by name, dates as YYYY-MM-DD;
 * - `insurance_type` is the code's name without its explanation;
 * - an answer rejected at the provider still names the rejecting payer, so it has plan_metadata;
 * - `notes` contain everything that has no other place (x12-271.md 7, corrected), the proposals only statements about the whole plan, which
 * must be among ours; lossless.test.ts verifies that ours are complete.
 */
const WORDED_OTHERWISE = new Set(['additional_notes', 'insurance_type', 'notes'])

function withoutDeliberateDifferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDeliberateDifferences)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(
    ([key, member]) => !WORDED_OTHERWISE.has(key) && !(key === 'benefits' && Object.keys(member).join() === 'notes'),
  )
  return Object.fromEntries(members.map(([key, member]) => [key, withoutDeliberateDifferences(member)]))
}

const proposals = existsSync(samples) ? readdirSync(join(samples, 'expected')) : []
if (proposals.length === 0) console.info('No sample messages beside the repository: their comparison is left out.')

for (const name of proposals) {
  const proposal: Proposal = JSON.parse(readFileSync(join(samples, 'expected', name), 'utf8'))
  const decoded = decodeResponse(readFileSync(join(samples, '271', proposal.source), 'utf8'))

  test(`${proposal.source} is decoded as an independent decoder proposes`, () => {
    for (const [index, expected] of proposal.transactions.entries()) {
      const transaction = decoded.transactions[index]
      expect(
        transaction?.errors.map(({ code, followup_action, location }) => [code, followup_action, location]),
      ).toEqual(expected.errors.map(({ code, followup, loop }) => [code || null, followup || null, `Loop ${loop}`]))
      const refusedAtProvider = expected.errors.some(({ loop }) => loop === '2100B')
      const patients = transaction?.patients.map(({ plan_metadata, ...rest }) =>
        refusedAtProvider ? rest : { ...rest, ...(plan_metadata && { plan_metadata }) },
      )
      expect(withoutDeliberateDifferences(patients)).toEqual(withoutDeliberateDifferences(expected.patients))
      for (const [place, { benefits }] of expected.patients.entries()) {
        const notes = patients?.[place]?.benefits?.notes?.split('\n') ?? []
        expect(notes).toEqual(expect.arrayContaining(benefits?.notes?.split('\n') ?? []))
      }
    }
  })

  test(`${proposal.source} decodes into what the published client reads`, () => {
    const parsed = decoded.transactions.flatMap(({ patients }) => patients)
    expect(parsed.map((each) => readAsClient(each).eligibilityStatus)).toEqual(
      parsed.map(({ eligibility_status }) => eligibility_status),
    )
  })
}

test.skipIf(proposals.length === 0)(
  'a damaged sample decodes into what the published client reads, or is rejected',
  () => {
    const cut = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(30),
      insert: fc.string({ maxLength: 8 }),
    })
    for (const name of proposals) {
      const whole = readFileSync(join(samples, '271', name.replace('.json', '.271')), 'utf8')
      fc.assert(
        fc.property(fc.array(cut, { minLength: 1, maxLength: 3 }), (cuts) => {
          const damaged = cuts.reduce((text, { at, length, insert }) => {
            const position = Math.floor(at * text.length)
            return text.slice(0, position) + insert + text.slice(position + length)
          }, whole)
          expect(() => decodeOrRefuse(damaged).map(readAsClient)).not.toThrow()
        }),
        { numRuns: 60 },
      )
    }
  },
)

test('compares all samples, or none when the repository has no samples', () => {
  expect(proposals.length > 0).toBe(existsSync(samples))
})
