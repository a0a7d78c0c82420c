// The payer's values that differ from the record; one click applies each.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Coverage, RequestCorrection } from '../../api/generated.ts'
import { readCoveragesAgain } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { isCorrected, propertyLabel, toMutableCoverage, withCorrection } from '../../rules/coverages.ts'
import { shortDay } from '../../rules/days.ts'
import { announce } from '../../ui/announce.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './corrections.module.css'
import patientStyles from './patient.module.css'

export function Corrections({ coverage }: { coverage: Coverage }) {
  const mayWrite = useMay('coverages.update')
  const [failure, setFailure] = useState<unknown>()
  const mutable = toMutableCoverage(coverage)
  const open = (coverage.latest_eligibility_check?.request_corrections ?? []).filter(
    (correction) => !isCorrected(mutable, correction),
  )
  if (open.length === 0) return null

  async function take(correction: RequestCorrection) {
    const body = withCorrection(mutable, correction)
    if (!body) return
    setFailure(undefined)
    try {
      await call('coverages.update', { path: { id: coverage.id, version: coverage.version + 1 }, body })
      announce(`${propertyLabel(correction.property)} was updated. Check eligibility again to confirm it.`)
    } catch (caught) {
      setFailure(caught)
    }
    await readCoveragesAgain()
  }
  return (
    <div className={styles.corrections}>
      <strong>The payer has different information</strong>
      {failure !== undefined && <Problem error={failure} />}
      <ul>
        {open.map((correction) => (
          <li key={correction.property}>
            {propertyLabel(correction.property)}: <del>{shortDay(correction.request_value)}</del>{' '}
            <ins>
              <bdi>{shortDay(correction.corrected_value)}</bdi>
            </ins>{' '}
            {mayWrite && withCorrection(mutable, correction) ? (
              <Button size="compact-sm" variant="default" onClick={() => take(correction)}>
                Use payer value
              </Button>
            ) : (
              <span className={patientStyles.soft}>If the patient confirms it, correct it under Details.</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
