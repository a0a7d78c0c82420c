// A one-minute excerpt of `npm run bench:fuzz`, which tests the law with 100,000 mutations per sample.
import { expect, test } from 'vitest'
import { coverageSamples, tryLaw } from '../support/coverage-law.ts'
import { allowsActive } from '../support/coverage-oracle.ts'

const SEED = 20_261_122
const CASES = 400

test.each(coverageSamples())(
  'no change to $name makes ACTIVE without an active row of that person, in force that day, unrejected',
  async (sample) => {
    const active = await tryLaw(sample, SEED, CASES)
    // The law is meaningful only if enough samples come near it: what the rules call active must be found, too.
    if (allowsActive(sample.text, sample.asked)) expect(active).toBeGreaterThan(CASES / 50)
  },
)
