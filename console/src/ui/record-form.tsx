// A form over a versioned record: keeps what is typed as a draft, and when somebody else saved meanwhile shows what they changed.

import { Alert, Button, Checkbox, NativeSelect, Table, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/client.ts'
import {
  applyTyped,
  type Clash,
  changedFields,
  type Field,
  findClashes,
  missingFields,
  type Typed,
} from '../rules/fields.ts'
import { useDraft } from './draft.ts'
import { Form } from './form.tsx'
import styles from './record-form.module.css'
import { Problem } from './states.tsx'

interface Props<Value> {
  draftKey: string
  fields: readonly Field<Value>[]
  record: Value
  submit: string
  /** Saves; throws an ApiError of 409 when the record has another version by now. */
  save: (record: Value) => Promise<void>
  /** The record as it is now, for the comparison after a conflict. Without it a conflict is an error as any other. */
  reload?: () => Promise<Value>
  onCancel?: () => void
  /** Shown in place of a field's input. */
  replace?: Record<string, (typed: (name: string, text: string) => void, value: (name: string) => string) => ReactNode>
}

export function RecordForm<Value>({
  draftKey,
  fields,
  record,
  submit,
  save,
  reload,
  onCancel,
  replace = {},
}: Props<Value>) {
  const draft = useDraft<{ base: Value; typed: Typed }>(draftKey, () => ({ base: record, typed: {} }))
  const { base, typed } = draft.value
  const [clashes, setClashes] = useState<Clash[]>([])
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [wasTried, setTried] = useState(false)
  const missing = missingFields(fields, base, typed)
  const changed = changedFields(fields, base, typed)

  const type = (name: string, text: string) => draft.set({ base, typed: { ...typed, [name]: text } })
  const value = (name: string) => typed[name] ?? fields.find((field) => field.name === name)?.read(base) ?? ''

  async function onSubmit() {
    setTried(true)
    if (missing.length > 0) return
    setSaving(true)
    setError(undefined)
    try {
      await save(applyTyped(fields, base, typed))
      draft.clear()
    } catch (caught) {
      if (caught instanceof ApiError && caught.status === 409 && reload) await compare(reload)
      else setError(caught)
    } finally {
      setSaving(false)
    }
  }

  /** From here on the form stands on the newer record, with everything that was typed on top of it. */
  async function compare(read: () => Promise<Value>) {
    const theirs = await read()
    setClashes(findClashes(fields, base, theirs, typed))
    draft.set({ base: theirs, typed })
    setError(undefined)
  }

  // Saving what nobody changed would make a version that says nothing.
  const isStored = reload !== undefined
  const groups = [...new Set(fields.map(({ group }) => group))]
  return (
    <Form className={styles.form} onSubmit={onSubmit} noValidate>
      {draft.isRestored && changed.length > 0 && clashes.length === 0 && (
        <Alert color="yellow" title="Not saved yet">
          This was filled in before. Save it, or{' '}
          <button type="button" className={styles.inline} onClick={() => draft.set({ base: record, typed: {} })}>
            start again
          </button>
          .
        </Alert>
      )}
      {clashes.length > 0 && <Clashes clashes={clashes} onTake={type} />}
      {error !== undefined && <Problem error={error} />}
      {groups.map((group) => (
        <fieldset key={group} className={styles.group}>
          <legend>{group}</legend>
          {fields
            .filter((field) => field.group === group)
            .map((field) =>
              replace[field.name] ? (
                <div key={field.name} className={styles.full}>
                  {replace[field.name]?.(type, value)}
                  {wasTried && missing.includes(field.name) && <p className={styles.error}>{field.label} is needed.</p>}
                </div>
              ) : (
                <Input
                  key={field.name}
                  field={field}
                  value={value(field.name)}
                  error={wasTried && missing.includes(field.name) ? `${field.label} is needed.` : undefined}
                  onChange={(text) => type(field.name, text)}
                />
              ),
            )}
        </fieldset>
      ))}
      <div className={styles.buttons}>
        <Button type="submit" loading={isSaving} disabled={isStored && changed.length === 0 && clashes.length === 0}>
          {clashes.length > 0 ? 'Save on top of these changes' : submit}
        </Button>
        {onCancel && (
          <Button
            variant="default"
            onClick={() => {
              draft.clear()
              onCancel()
            }}
          >
            Cancel
          </Button>
        )}
        {missing.length > 0 && wasTried && <span role="alert">{missing.length} fields are still needed.</span>}
      </div>
    </Form>
  )
}

interface InputProps {
  field: Omit<Field<never>, 'read' | 'write'>
  value: string
  error: string | undefined
  onChange: (text: string) => void
}

function Input({ field, value, error, onChange }: InputProps) {
  const { label, name, options, input = 'text', isRequired = false, autoComplete } = field
  if (input === 'checkbox') {
    return (
      <Checkbox
        label={label}
        checked={value === 'yes'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : '')}
      />
    )
  }
  if (options) {
    const known = options.some((option) => option.value === value)
    const data = known ? options : [{ value, label: value || 'Choose…' }, ...options]
    return (
      <NativeSelect
        label={label}
        name={name}
        withAsterisk={isRequired}
        error={error}
        value={value}
        data={[...data]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      type={input}
      label={label}
      name={name}
      dir={input === 'text' ? 'auto' : undefined}
      withAsterisk={isRequired}
      error={error}
      value={value}
      autoComplete={autoComplete ?? 'off'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ClashesProps {
  clashes: Clash[]
  onTake: (name: string, text: string) => void
}

function Clashes({ clashes, onTake }: ClashesProps) {
  return (
    <Alert role="alert" color="yellow" title="Somebody else changed this while you were typing">
      <p>Nothing of yours is lost. Fields that only they changed keep their value.</p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>Theirs, saved</Table.Th>
            <Table.Th>Yours</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {clashes.map(({ name, label, before, theirs, mine }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td>{before || '—'}</Table.Td>
              <Table.Td>{theirs || '—'}</Table.Td>
              <Table.Td>
                {mine === undefined ? (
                  'not changed'
                ) : (
                  <>
                    {mine || '—'}{' '}
                    <Button size="compact-xs" variant="default" onClick={() => onTake(name, theirs)}>
                      Take theirs
                    </Button>
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Alert>
  )
}
