// A minute's share of `npm run bench:fuzz`, which breaks the law 100,000 times a sample.
import { expect, test } from 'vitest'
import { coverageSamples, tryLaw } from '../../../test/support/coverage-law.ts'
import { allowsActive } from '../../../test/support/coverage-oracle.ts'

const SEED = 20_261_122
const CASES = 400

test.each(coverageSamples())(
  'no change to $name makes ACTIVE without an active row of that person, in force that day, unrejected',
  async (sample) => {
    const active = await tryLaw(sample, SEED, CASES)
    // A law that nothing comes near says nothing: what the rules call active is found so, too.
    if (allowsActive(sample.text, sample.asked)) expect(active).toBeGreaterThan(CASES / 50)
  },
)
