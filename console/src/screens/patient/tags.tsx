import { Button } from '@mantine/core'
import { useState } from 'react'
import { changePatient } from '../../api/change-patient.ts'
import type { Patient } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { Choice } from '../../ui/choice.tsx'
import { CloseIcon, WarningIcon } from '../../ui/icons.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './tags.module.css'

export function Tags({ patient }: { patient: Patient }) {
  const mayWrite = useMay('patients.update')
  const maySee = useMay('tags.getAll')
  const { data, error, refetch } = useRead('tags.getAll', { query: {} }, { enabled: maySee })
  const [failure, setFailure] = useState<unknown>()
  const own = patient.tag_ids ?? []
  const tags = data?.items ?? []
  const others = tags.filter(({ id }) => !own.includes(id))

  async function change(edit: (ids: readonly string[]) => string[]) {
    setFailure(undefined)
    try {
      await changePatient(patient.id, ({ tag_ids = [] }) => ({ tag_ids: edit(tag_ids) }))
    } catch (caught) {
      setFailure(caught)
    }
  }
  return (
    <div className={styles.tags}>
      {failure !== undefined && <Problem error={failure} />}
      {error && !data && <Problem error={error} retry={refetch} />}
      {tags
        .filter(({ id }) => own.includes(id))
        .map(({ id, value, alert, description }) => (
          <span key={id} className={styles.tag} data-alert={alert ?? false} title={description}>
            {alert && <WarningIcon size={14} />}
            {value}
            {mayWrite && (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={`Remove the tag ${value}`}
                onClick={() => change((ids) => ids.filter((each) => each !== id))}
              >
                <CloseIcon size={12} />
              </Button>
            )}
          </span>
        ))}
      {mayWrite && others.length > 0 && (
        <Choice
          label="Add a tag"
          options={[
            { value: '', label: 'Add a tag…' },
            ...others.map(({ id, value }) => ({ value: id, label: value })),
          ]}
          stored=""
          button="Add"
          onTake={(id) => change((ids) => [...ids, id])}
        />
      )}
    </div>
  )
}
