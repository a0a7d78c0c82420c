import { relative } from 'node:path'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { packageFile } from '../../src/platform/package-root.ts'

/** Files that try thousands of inputs, or wait, and take seconds each: they run with `npm test` alone. */
export const LONG = new Set([
  'src/clearinghouses/availity/read-coverage.test.ts',
  'src/clearinghouses/core/plain-envelope.test.ts',
  'src/clearinghouses/stedi/plan-fields.test.ts',
  'src/clearinghouses/stedi/read-eligibility.test.ts',
  'test/laws/coverage-law.test.ts',
  'test/laws/decode-fuzz.test.ts',
  'test/laws/decode-round-trip.test.ts',
  'src/eligibility/answers/decode-rules.test.ts',
  'src/eligibility/answers/decode.test.ts',
  'src/eligibility/printing/print-benefits.test.ts',
  'src/eligibility/answers/corrections/recommendations.test.ts',
  'src/eligibility/answers/rejections/rejected-people.test.ts',
  'src/eligibility/answers/social-security.test.ts',
  'src/eligibility/printing/benefit-sheet.test.ts',
  'src/main/measure.test.ts',
  'src/payers/near-terms.test.ts',
  'src/platform/auth/token-limits.test.ts',
  'src/platform/http/health.test.ts',
  'src/platform/http/limits/load-shedding.test.ts',
  'src/tools/sandbox/valid-answers.test.ts',
  'src/x12/bounds.test.ts',
  'src/x12/hostile-input.test.ts',
  'src/x12/interchange-writer.test.ts',
  'src/x12/join-services.test.ts',
  'test/laws/exported-x12.test.ts',
  'test/laws/inquiries.test.ts',
  'test/laws/same-answer.test.ts',
  'test/truth/whole-messages.test.ts',
])

/** Files of these folders wait for programs, browsers and faults, some for minutes; all others compute. */
const WAITING = /^test[\\/](console|faults|acceptance)[\\/]/
/** Files that compute to one that waits: with two, those that wait begin in the first two thirds of a run, and small files fill its end. */
const COMPUTING_TO_ONE = 2

/**
 * Files that wait take turns with files that compute, so that the cores are busy while some wait; among those that compute, the long ones start
 * first. In Vitest's order for a clean checkout, by size, small files that take long came late, and a run ended with one worker at work; with all
 * files that wait at the beginning, a sixth of the cores' time was idle. decisions/0220-files-that-wait-beside-files-that-compute.md
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const nameOf = ({ moduleId }: TestSpecification) => relative(packageFile(), moduleId)
    const bySize = await super.sort(files)
    const waiting = bySize.filter((file) => WAITING.test(nameOf(file)))
    const computing = bySize.filter((file) => !WAITING.test(nameOf(file)))
    const rest = computing.sort((a, b) => Number(LONG.has(nameOf(b))) - Number(LONG.has(nameOf(a))))
    return [...waiting.flatMap((file) => [file, ...rest.splice(0, COMPUTING_TO_ONE)]), ...rest]
  }
}
