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

/**
 * Files that wait start first, then those that compute for long. In Vitest's order for a clean checkout, by size, small files that take long came late, and a run
 * ended with one worker at work.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const name = relative(packageFile(), moduleId)
      if (WAITING.test(name)) return 0
      return LONG.has(name) ? 1 : 2
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
