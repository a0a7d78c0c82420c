// What the payer has otherwise than the record: one click takes it over.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Coverage, RequestCorrection } from '../../api/generated.ts'
import { useMay } from '../../api/session.ts'
import { sayProperty, toMutableCoverage, withCorrection } from '../../rules/coverages.ts'
import { announce } from '../../ui/announce.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './patient.module.css'

export function Corrections({ coverage }: { coverage: Coverage }) {
  const client = useQueryClient()
  const mayWrite = useMay('coverages.update')
  const [failure, setFailure] = useState<unknown>()
  const mutable = toMutableCoverage(coverage)
  const open = (coverage.latest_eligibility_check?.request_corrections ?? []).filter((correction) =>
    isOpen(coverage, correction),
  )
  if (open.length === 0) return null

  async function take(correction: RequestCorrection) {
    const body = withCorrection(mutable, correction)
    if (!body) return
    setFailure(undefined)
    try {
      await call('coverages.update', { path: { id: coverage.id, version: coverage.version + 1 }, body })
      announce(`${sayProperty(correction.property)} was corrected. Check again to be sure.`)
    } catch (caught) {
      setFailure(caught)
    }
    await client.invalidateQueries({ queryKey: ['coverages.getMulti'] })
  }
  return (
    <div className={styles.corrections}>
      <strong>The payer has this otherwise</strong>
      {failure !== undefined && <Problem error={failure} />}
      <ul>
        {open.map((correction) => (
          <li key={correction.property}>
            {sayProperty(correction.property)}: <del>{correction.request_value}</del>{' '}
            <ins>
              <bdi>{correction.corrected_value}</bdi>
            </ins>{' '}
            {mayWrite && withCorrection(mutable, correction) ? (
              <Button size="compact-sm" variant="default" onClick={() => take(correction)}>
                Take it over
              </Button>
            ) : (
              <span className={styles.soft}>Correct it under Details, if the patient agrees.</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A correction that the record already has is done. */
function isOpen(coverage: Coverage, correction: RequestCorrection): boolean {
  const mutable = toMutableCoverage(coverage)
  const corrected = withCorrection(mutable, correction)
  return corrected === undefined || JSON.stringify(corrected) !== JSON.stringify(mutable)
}
