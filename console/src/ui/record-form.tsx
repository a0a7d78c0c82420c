// A form for a versioned record: keeps unsaved input as a draft, and after a version conflict shows what the other user changed.

import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { missingWords, oddityOf } from '../rules/fields.ts'
import { Conflicts } from './conflicts.tsx'
import { Form } from './form.tsx'
import { MaybeStored } from './lost-attempt.tsx'
import { type EditedRecord, type RecordEntry, useRecordEntry } from './record-entry.ts'
import styles from './record-form.module.css'
import { RecordInput } from './record-input.tsx'
import { Problem } from './states.tsx'

/** Replaces a field's input. `error`: what is wrong with the entry, which the input shows, and has as `aria-invalid`. */
type Replacement = (
  typed: (name: string, text: string) => void,
  value: (name: string) => string,
  error: string | undefined,
) => ReactNode

interface Props<Value> extends EditedRecord<Value> {
  submit: string
  onCancel?: () => void
  replace?: Record<string, Replacement>
}

export function RecordForm<Value>({ submit, onCancel, replace = {}, ...of }: Props<Value>) {
  const entry = useRecordEntry(of)
  const { conflicts, error, missing } = entry
  const groups = [...new Set(of.fields.map(({ group }) => group))]
  return (
    <Form ref={entry.form} className={styles.form} onSubmit={() => entry.submit()} noValidate>
      {entry.isRestored && <Restored onDiscard={entry.discard} />}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} isOwn={entry.isOwnConflict} onTake={entry.type} />}
      {error !== undefined && <Problem error={error} />}
      {entry.isAsked && <MaybeStored onDecide={entry.submit} />}
      {groups.map((group) => (
        <fieldset key={group} className={styles.group}>
          <legend>{group}</legend>
          <Inputs fields={of.fields.filter((field) => field.group === group)} entry={entry} replace={replace} />
        </fieldset>
      ))}
      <div className={styles.buttons}>
        <Button type="submit" loading={entry.isSaving} disabled={entry.isUnchanged}>
          {conflicts.length > 0 ? 'Save on top of these changes' : submit}
        </Button>
        {onCancel && (
          <Button
            variant="default"
            onClick={() => {
              entry.clear()
              onCancel()
            }}
          >
            Cancel
          </Button>
        )}
        {entry.hasHeld && <span role="alert">Not saved. Correct the entry, or press “{submit}” again to keep it.</span>}
        {missing > 0 && <span role="alert">{missingWords(missing)}</span>}
      </div>
    </Form>
  )
}

interface InputsProps<Value> {
  fields: EditedRecord<Value>['fields']
  entry: RecordEntry
  replace: Record<string, Replacement>
}

function Inputs<Value>({ fields, entry, replace }: InputsProps<Value>) {
  const { value, type, errorOf, isHeld, warned } = entry
  return fields.map((field) =>
    replace[field.name] ? (
      <div key={field.name} className={styles.full}>
        {replace[field.name]?.(type, value, errorOf(field.name))}
      </div>
    ) : (
      <RecordInput
        key={field.name}
        field={field.unless && value(field.unless) === 'yes' ? { ...field, isRequired: false } : field}
        value={value(field.name)}
        warning={oddityOf(field, value(field.name), value)}
        error={errorOf(field.name)}
        isHeld={isHeld(field.name)}
        onWarned={() => warned(field.name)}
        onChange={(text) => type(field.name, text)}
      />
    ),
  )
}

function Restored({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Alert color="yellow" title="Unsaved changes">
      Your earlier input was restored. Save it, or{' '}
      <button type="button" className={styles.inline} onClick={onDiscard}>
        discard it
      </button>
      .
    </Alert>
  )
}
