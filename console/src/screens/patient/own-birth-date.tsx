// A person has one birth date. Payers are asked with the one of the subscriber, so correcting only the patient's changes nothing.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { changePatient } from '../../api/change-patient.ts'
import { call } from '../../api/client.ts'
import type { Coverage, Patient } from '../../api/generated.ts'
import { readCoveragesAgain } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { otherBirthDate, toMutableCoverage } from '../../rules/coverages.ts'
import { shortDay } from '../../rules/days.ts'
import { announce } from '../../ui/announce.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './corrections.module.css'
import patientStyles from './patient.module.css'

export function OwnBirthDate({ coverage, patient, who }: { coverage: Coverage; patient: Patient; who: string }) {
  const mayChangeCoverage = useMay('coverages.update')
  const mayChangePatient = useMay('patients.update')
  const [failure, setFailure] = useState<unknown>()
  const [isWriting, setWriting] = useState(false)
  const ofSubscriber = otherBirthDate(coverage, patient)
  if (ofSubscriber === undefined) return null

  async function use(what: string, work: () => Promise<unknown>) {
    setFailure(undefined)
    setWriting(true)
    try {
      await work()
      announce(`${what} was updated. Check eligibility again to confirm it.`)
    } catch (caught) {
      setFailure(caught)
    }
    await readCoveragesAgain()
    setWriting(false)
  }
  const correctCoverage = () => {
    const { subscriber, ...rest } = toMutableCoverage(coverage)
    const body = { ...rest, subscriber: { ...subscriber, date_of_birth: patient.birth_date } }
    return call('coverages.update', { path: { id: coverage.id, version: coverage.version + 1 }, body })
  }
  const correctPatient = () => changePatient(patient.id, () => ({ birth_date: ofSubscriber }))
  return (
    <div className={styles.corrections}>
      <strong>The subscriber is the patient, and has another birth date</strong>
      {failure !== undefined && <Problem error={failure} />}
      <p>
        In this coverage {shortDay(ofSubscriber)}, in the patient’s record {shortDay(patient.birth_date)}.
      </p>
      <div className={patientStyles.row}>
        {mayChangeCoverage && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isWriting}
            aria-label={`Use ${shortDay(patient.birth_date)} here: ${who}`}
            onClick={() => use('The birth date of the subscriber', correctCoverage)}
          >
            Use {shortDay(patient.birth_date)} here
          </Button>
        )}
        {mayChangePatient && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isWriting}
            aria-label={`Use ${shortDay(ofSubscriber)} for the patient: ${who}`}
            onClick={() => use('The birth date of the patient', correctPatient)}
          >
            Use {shortDay(ofSubscriber)} for the patient
          </Button>
        )}
      </div>
    </div>
  )
}
