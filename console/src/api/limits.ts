// What limits the answers about coverages, which the published types cannot say: read together with the coverages, so that an ACTIVE is never
// shown before its limits are known.
import { COVERAGE_LIMITS_MAX } from '../../../src/contract/limits.ts'
import type { Covered } from '../rules/light.ts'
import { call } from './client.ts'
import type { Coverage, CoverageLimits, Patient } from './generated.ts'

type Limits = ReadonlyMap<string, CoverageLimits['limits']>

/** The limits by check id. */
async function readLimits(coverageIds: readonly string[], signal?: AbortSignal): Promise<Limits> {
  const ids = [...new Set(coverageIds)]
  const parts = Array.from({ length: Math.ceil(ids.length / COVERAGE_LIMITS_MAX) }, (_, part) =>
    call(
      'coverageLimits.getMulti',
      { query: { ids: ids.slice(part * COVERAGE_LIMITS_MAX, (part + 1) * COVERAGE_LIMITS_MAX) } },
      signal,
    ),
  )
  const found = (await Promise.all(parts)).flat()
  return new Map(found.map(({ check_id, limits }) => [check_id, limits]))
}

const isAnswered = (coverage: Covered | undefined) => coverage?.latest_eligibility_check !== undefined

/** The limits of the coverages of one patient, by check id. They depend on the filing order and the patient's name and birth date, too. */
export const limitsOfCoverages = (coverages: readonly Coverage[], patient: Patient) => ({
  queryKey: ['coverageLimits.getMulti', coverages.map(({ id, version }) => `${id} ${version}`), patient.version],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    readLimits(
      coverages.filter(isAnswered).map(({ id }) => id),
      signal,
    ),
})
