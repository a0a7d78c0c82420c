// A form for a versioned record: keeps unsaved input as a draft, and after a version conflict shows what the other user changed.

import { Alert, Button, Checkbox, NativeSelect, Table, TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../api/client.ts'
import type { Attempt } from '../api/create-once.ts'
import { useSession } from '../api/session.ts'
import {
  applyTyped,
  type Clash,
  changedFields,
  type Field,
  findClashes,
  missingFields,
  missingWords,
  oddityOf,
  type Typed,
} from '../rules/fields.ts'
import { forgetAttempt, forgetLost, useDraft } from './draft.ts'
import { Form } from './form.tsx'
import { type Decision, MaybeStored, useAttempts } from './lost-attempt.tsx'
import { afterPress } from './presses.ts'
import styles from './record-form.module.css'
import { Problem } from './states.tsx'

interface Props<Value> {
  draftKey: string
  fields: readonly Field<Value>[]
  record: Value
  submit: string
  /**
   * Saves the record; a new one as `createOnce` does with the attempt. `refused`: it was not saved, and the screen says why.
   * @throws ApiError with status 409 when the record has a newer version.
   */
  save: (record: Value, attempt: Attempt<Value>) => Promise<'refused' | undefined> | Promise<void>
  /** Reads the current record for the comparison after a conflict. Without it, a conflict is shown like any other error. */
  reload?: () => Promise<Value>
  onCancel?: () => void
  /** Replaces a field's input. `error`: what is wrong with the entry, which the input shows, and has as `aria-invalid`. */
  replace?: Record<
    string,
    (
      typed: (name: string, text: string) => void,
      value: (name: string) => string,
      error: string | undefined,
    ) => ReactNode
  >
}

const REQUIRED = 'This field is required.'

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
  const { typed } = draft.value
  // Without input the form follows the record's latest version; input stays based on the version that it was entered on.
  const base = Object.keys(typed).length === 0 ? record : draft.value.base
  const [clashes, setClashes] = useState<Clash[]>([])
  const [isOwnClash, setOwnClash] = useState(false)
  const { user } = useSession()
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const [wasTried, setTried] = useState(false)
  const attempts = useAttempts<Value>(draftKey)
  const form = useRef<HTMLFormElement>(null)
  const isStored = reload !== undefined
  const missing = missingFields(fields, base, typed, isStored)
  const changed = changedFields(fields, base, typed)

  const type = (name: string, text: string) => {
    const followed = fields.find((field) => field.name === name)?.follow?.(text, value)
    draft.set({ base, typed: { ...typed, ...followed, [name]: text } })
  }
  const value = (name: string) => typed[name] ?? fields.find((field) => field.name === name)?.read(base) ?? ''

  async function onSubmit(form: HTMLFormElement, decision?: Decision) {
    flushSync(() => setTried(true))
    if (missing.length > 0) return focusOn(form, '[aria-invalid="true"]')
    setSaving(true)
    setError(undefined)
    try {
      const entry = applyTyped(fields, base, typed)
      const work = (attempt: Attempt<Value>): Promise<unknown> => save(entry, attempt)
      // Of a stored record each version is written once.
      const saved = isStored ? await work({ idempotency_key: '' }) : await attempts.send(entry, decision, work)
      if (saved === 'refused') forgetLost(draftKey)
      if (saved === 'asked' || saved === 'refused') return
      draft.set({ base, typed: {} })
      draft.clear()
      setClashes([])
      setTried(false)
    } catch (caught) {
      if (caught instanceof ApiError && caught.status === 409 && reload) await compare(reload)
      else setError(caught)
    } finally {
      flushSync(() => setSaving(false))
      // The button that was pressed has lost the focus while it was disabled.
      if (document.activeElement === document.body) focusOn(form, '[role="alert"]')
    }
  }

  /** From here on the form is based on the newer record, with the user's input applied to it. */
  async function compare(read: () => Promise<Value>) {
    const theirs = await read()
    setClashes(findClashes(fields, base, theirs, typed))
    setOwnClash((theirs as { updating_user_id?: string }).updating_user_id === user.id)
    draft.set({ base: theirs, typed })
    setError(undefined)
  }

  const errorOf = (name: string) => (wasTried && missing.includes(name) ? REQUIRED : undefined)
  const groups = [...new Set(fields.map(({ group }) => group))]
  return (
    <Form ref={form} className={styles.form} onSubmit={(element) => onSubmit(element)} noValidate>
      {draft.isRestored && changed.length > 0 && clashes.length === 0 && (
        <Alert color="yellow" title="Unsaved changes">
          Your earlier input was restored. Save it, or{' '}
          <button
            type="button"
            className={styles.inline}
            onClick={() => {
              draft.set({ base: record, typed: {} })
              forgetAttempt(draftKey)
            }}
          >
            discard it
          </button>
          .
        </Alert>
      )}
      {clashes.length > 0 && <Clashes clashes={clashes} isOwn={isOwnClash} onTake={type} />}
      {error !== undefined && <Problem error={error} />}
      {attempts.isAsked && <MaybeStored onDecide={(decision) => form.current && onSubmit(form.current, decision)} />}
      {groups.map((group) => (
        <fieldset key={group} className={styles.group}>
          <legend>{group}</legend>
          {fields
            .filter((field) => field.group === group)
            .map((field) =>
              replace[field.name] ? (
                <div key={field.name} className={styles.full}>
                  {replace[field.name]?.(type, value, errorOf(field.name))}
                </div>
              ) : (
                <Input
                  key={field.name}
                  field={field.unless && value(field.unless) === 'yes' ? { ...field, isRequired: false } : field}
                  value={value(field.name)}
                  warning={oddityOf(field, value(field.name), value)}
                  error={errorOf(field.name)}
                  onChange={(text) => type(field.name, text)}
                />
              ),
            )}
        </fieldset>
      ))}
      <div className={styles.buttons}>
        {/* Saving without a change would create a version without content. */}
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
        {missing.length > 0 && wasTried && <span role="alert">{missingWords(missing.length)}</span>}
      </div>
    </Form>
  )
}

interface InputProps {
  field: Omit<Field<never>, 'read' | 'write'>
  value: string
  error: string | undefined
  warning: string | undefined
  onChange: (text: string) => void
}

function Input({ field, value, error, warning, onChange }: InputProps) {
  const [isTyping, setTyping] = useState(false)
  const { label, name, options, input = 'text', isRequired = false, autoComplete } = field
  if (input === 'checkbox') {
    return (
      <Checkbox
        className={styles.full}
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
      // Not while the entry is unfinished.
      description={!isTyping && !error && warning}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      descriptionProps={{ className: styles.warning }}
      onFocus={() => setTyping(true)}
      onBlur={({ currentTarget }) => afterPress(() => setTyping(document.activeElement === currentTarget))}
      value={value}
      autoComplete={autoComplete ?? 'off'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ClashesProps {
  clashes: Clash[]
  /** The same user has made the change, in another window. */
  isOwn: boolean
  onTake: (name: string, text: string) => void
}

function Clashes({ clashes, isOwn, onTake }: ClashesProps) {
  const [who, place] = isOwn ? ['You', ' in another window'] : ['Another user', '']
  return (
    <Alert role="alert" color="yellow" title={`${who} changed this record${place} while you were editing`}>
      <p>
        What you typed here is kept. Fields that were only changed {isOwn ? 'there' : 'by the other user'} show the new
        value.
      </p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>{isOwn ? 'Saved in the other window' : 'Saved by another user'}</Table.Th>
            <Table.Th>{isOwn ? 'Typed here' : 'Yours'}</Table.Th>
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
                  'unchanged'
                ) : (
                  <>
                    {mine || '—'}{' '}
                    <Button size="compact-xs" variant="default" onClick={() => onTake(name, theirs)}>
                      {isOwn ? 'Use the saved value' : 'Use their value'}
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

function focusOn(form: HTMLFormElement, selector: string): void {
  form.querySelector<HTMLElement>(selector)?.focus()
}
