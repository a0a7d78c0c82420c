// `npm run bench:fuzz [-- cases]`: tests 100,000 mutations of every sample, or the given number. It measures nothing.
import { coverageSamples, tryLaw } from '../test/support/coverage-law.ts'

const cases = Number(process.argv[2] ?? 100_000)
const seed = 1
for (const sample of coverageSamples()) {
  const active = await tryLaw(sample, seed, cases)
  console.log(`${sample.name.padEnd(60)} ${cases} changes, ACTIVE in ${active}, none of them against the rules`)
}
