// `npm run bench:fuzz [-- cases]`: 100,000 changes to every sample, or as many as are asked for; a law, no measurement.
import { coverageSamples, tryLaw } from '../test/support/coverage-law.ts'

const cases = Number(process.argv[2] ?? 100_000)
const seed = 1
for (const sample of coverageSamples()) {
  const active = await tryLaw(sample, seed, cases)
  console.log(`${sample.name.padEnd(60)} ${cases} changes, ACTIVE in ${active}, none of them against the rules`)
}
