import { useMemo } from 'react'
import { call } from '../../api/client.ts'
import { type Attempt, createOnce } from '../../api/create-once.ts'
import type { Coverage, MutableCoverage, Patient } from '../../api/generated.ts'
import { readCoveragesAgain } from '../../api/query.ts'
import { coverageFieldsOf, newCoverage, PAYER_SEARCH, toMutableCoverage } from '../../rules/coverages.ts'
import type { Field } from '../../rules/fields.ts'
import { Opened } from '../../ui/opened.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import { PayerField } from '../search/payer-field.tsx'
import styles from './patient.module.css'

interface Props {
  patient: Patient
  coverage: Coverage | undefined
  /** The form stays busy until this is done. */
  onSaved: (coverage: Coverage) => Promise<void>
  onCancel: () => void
}

/** A new coverage has no version. */
type Edited = MutableCoverage & Partial<Pick<Coverage, 'id' | 'version'>>

export function CoverageForm({ patient, coverage, onSaved, onCancel }: Props) {
  const id = coverage?.id
  const fields = useMemo(() => coverageFieldsOf(patient) as unknown as readonly Field<Edited>[], [patient])

  async function save(record: Edited, attempt: Attempt<Edited>) {
    const bodyOf = (edited: Edited) => toMutableCoverage(edited as Coverage)
    const change = ({ id, version }: Pick<Coverage, 'id' | 'version'>, edited: Edited) =>
      call('coverages.update', { path: { id, version: version + 1 }, body: bodyOf(edited) })
    const create = (edited: Edited, query: object) => call('coverages.create', { body: bodyOf(edited), query })
    const saved = coverage
      ? await change({ id: coverage.id, version: record.version ?? 0 }, record)
      : await createOnce(record, attempt, { create, change })
    readCoveragesAgain()
    await onSaved(saved)
  }
  return (
    <section className={styles.card}>
      <Opened>{coverage ? 'Edit coverage' : 'Add coverage'}</Opened>
      <RecordForm<Edited>
        draftKey={id ? `coverage:${id}` : `coverage-of:${patient.id}`}
        fields={fields}
        record={coverage ?? newCoverage(patient)}
        submit={coverage ? 'Save' : 'Add'}
        save={save}
        {...(id && { reload: () => call('coverages.get', { path: { id } }) })}
        onCancel={onCancel}
        replace={{
          payer: (type, value, error) => (
            <PayerField
              text={value('payer')}
              named={value('payer') === '' ? value(PAYER_SEARCH) : ''}
              error={error}
              onChange={(text) => type('payer', text)}
            />
          ),
        }}
      />
    </section>
  )
}
