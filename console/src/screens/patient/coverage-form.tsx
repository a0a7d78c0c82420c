import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Coverage, MutableCoverage, Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { coverageFieldsOf, newCoverage, payerText, readPayer, toMutableCoverage } from '../../rules/coverages.ts'
import type { Field } from '../../rules/fields.ts'
import { checkWarning } from '../../rules/payers.ts'
import { Opened } from '../../ui/opened.tsx'
import { Picker } from '../../ui/picker.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import { useSettled } from '../../ui/use-settled.ts'
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
  const client = useQueryClient()
  const id = coverage?.id
  const fields = useMemo(() => coverageFieldsOf(patient) as unknown as readonly Field<Edited>[], [patient])

  async function save(record: Edited) {
    const body = toMutableCoverage(record as Coverage)
    const saved =
      id === undefined
        ? await call('coverages.create', { body })
        : await call('coverages.update', { path: { id, version: (record.version ?? 0) + 1 }, body })
    client.invalidateQueries({ queryKey: ['coverages.getMulti'] })
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
          payer: (type, value) => <PayerField text={value('payer')} onChange={(text) => type('payer', text)} />,
        }}
      />
    </section>
  )
}

/** The payer, chosen by search: ids for eligibility differ from those on the card and those for claims. */
function PayerField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { payer_id: id, payer_name: name } = readPayer(text)
  const [typed, setTyped] = useState('')
  const settled = useSettled(typed).trim()
  const { data, isFetching } = useRead(
    'eligibilityChecks.payerSearch',
    { query: { query: settled, page_size: 6 } },
    { enabled: settled.length >= 2, placeholderData: keepPreviousData },
  )
  const items = settled.length >= 2 && data ? data.items : []
  const nothing = settled.length >= 2 && !isFetching && items.length === 0
  return (
    <div className={styles.payer}>
      <p>
        Payer: <strong>{id ? name : 'none chosen'}</strong> {id && <span className={styles.soft}>({id})</span>}
      </p>
      <Picker
        label={id ? 'Change payer' : 'Find payer'}
        placeholder="Name or ID, for example Aetna"
        text={typed}
        onText={setTyped}
        items={items}
        keyOf={({ payer }) => payer.stedi_id}
        render={({ payer }) => (
          <>
            <strong>{payer.display_name}</strong>{' '}
            <span className={styles.soft}>
              {[payer.primary_payer_id, checkWarning(payer)].filter(Boolean).join(' · ')}
            </span>
          </>
        )}
        onTake={({ payer }) => {
          onChange(payerText(payer.primary_payer_id, payer.display_name))
          setTyped('')
        }}
        message={nothing ? 'No payers found. Billing can add a payer to the directory.' : undefined}
      />
    </div>
  )
}
