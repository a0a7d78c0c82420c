// Makes or changes a connector.

import { Anchor, Button, Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { STORED_SECRET } from '../../../../src/contract/limits.ts'
import { guidePage } from '../../api/client.ts'
import type { Connector } from '../../api/generated.ts'
import { useWrite } from '../../api/query.ts'
import {
  type Kind,
  kinds,
  readSettings,
  type SettingField,
  type Typed,
  typedOf,
  withoutSecrets,
} from '../../rules/connectors.ts'
import { entered } from '../../rules/entered.ts'
import { announce } from '../../ui/announce.tsx'
import { useDraft, useDraftField } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { Opened } from '../../ui/opened.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'

interface Props {
  /** Undefined for a new one. */
  connector?: Connector
  onDone: () => void
}

export function ConnectorForm({ connector, onDone }: Props) {
  const entry = useEntry(connector)
  const [fault, setFault] = useState<string>()
  const create = useWrite('connectors.create', ['connectors.getMulti'])
  // Not `connectors.get`: its answer replaces the form before it has said that it was saved.
  const update = useWrite('connectors.update', ['connectors.getMulti'])
  const { form, errorOf, rest } = useRefusals(connector ? update : create, { name: entry.name, ...entry.typed })
  const giveUp = () => {
    entry.forget()
    onDone()
  }

  function save() {
    const { kind } = entry
    const name = entered(entry.name)
    const settings = readSettings(kind, entry.typed)
    setFault(settings === undefined ? 'More settings must be JSON, such as {"usage": "T"}' : undefined)
    if (settings === undefined) return
    if (connector) {
      const done = () => {
        announce(`${connector.name} is saved`)
        giveUp()
      }
      return update.mutate({ path: { connector: connector.name }, body: { settings } }, { onSuccess: done })
    }
    const done = () => {
      announce(`${name} is created. Test it, then set a payer route`)
      entry.begin(kind)
      giveUp()
    }
    create.mutate({ body: { name, kind, settings } }, { onSuccess: done })
  }

  return (
    <Form ref={form} className={styles.box} onSubmit={save}>
      {connector ? <Opened>Change {connector.name}</Opened> : <h2>New connector</h2>}
      {connector && (
        <p className={styles.soft}>
          Stored secrets are not shown; (set) stands for one. If you change an address, enter the secret again.
        </p>
      )}
      <div className={styles.form}>
        {!connector && <NameAndKind entry={entry} errorOf={errorOf} />}
        <Settings entry={entry} errorOf={(name) => (name === 'more' && fault) || errorOf(name)} />
      </div>
      {rest !== undefined && <Problem error={rest} />}
      <div className={styles.actions}>
        <Button type="submit" mt="sm" loading={create.isPending || update.isPending}>
          {connector ? 'Save' : 'Create connector'}
        </Button>
        {connector && (
          <Button variant="default" mt="sm" onClick={giveUp}>
            Cancel
          </Button>
        )}
      </div>
    </Form>
  )
}

/** What is typed is kept until it is saved or given up, except for possible secrets: the draft is in the browser's storage. */
function useEntry(connector: Connector | undefined) {
  const of = connector ? `${connector.name} ${connector.updated_at}` : 'new'
  const [name, setName, resetName] = useDraftField(`connector-name ${of}`, '')
  const [kind, setKind] = useDraftField<Kind>(`connector-kind ${of}`, (connector?.kind as Kind) ?? 'core')
  const { value: kept, set: keep, clear } = useDraft<Typed>(`connector ${of}`, () => ({}))
  const [typed, setTyped] = useState<Typed>(() => ({ ...typedOf(kind, connector?.settings ?? {}), ...kept }))
  return {
    name,
    setName,
    kind,
    typed,
    isStored: (field: string) =>
      Object.entries(connector?.settings ?? {}).some(([name, value]) => name === field && value === STORED_SECRET),
    type(field: string, text: string) {
      const next = { ...typed, [field]: text }
      setTyped(next)
      keep(withoutSecrets(kind, next))
    },
    /** Empty fields of this kind. */
    begin(next: Kind) {
      setKind(next)
      setTyped(typedOf(next, {}))
      clear()
    },
    forget() {
      resetName()
      clear()
    },
  }
}

interface Inputs {
  entry: ReturnType<typeof useEntry>
  errorOf: (name: string) => string | undefined
}

function NameAndKind({ entry: { name, setName, kind, begin }, errorOf }: Inputs) {
  return (
    <>
      <TextInput
        label="Name"
        description="Lowercase letters, digits and hyphens"
        required
        maxLength={50}
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <NativeSelect
        label="Kind"
        data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
        value={kind}
        onChange={(event) => begin(event.target.value as Kind)}
      />
    </>
  )
}

/** The common settings as fields, the others as JSON. */
function Settings({ entry, errorOf }: Inputs) {
  const { kind, typed, type } = entry
  return (
    <>
      {kinds[kind].fields.map((field) =>
        field.isSecret ? (
          <Secret key={field.name} field={field} entry={entry} errorOf={errorOf} />
        ) : (
          <TextInput
            key={field.name}
            label={field.label}
            description={field.description}
            required={field.isRequired ?? false}
            autoComplete="off"
            value={typed[field.name] ?? ''}
            error={errorOf(field.name)}
            onChange={(event) => type(field.name, event.target.value)}
          />
        ),
      )}
      <Textarea
        className={styles.wide ?? ''}
        label="More settings (JSON)"
        description={
          <>
            Further settings of this kind are listed in the{' '}
            <Anchor href={guidePage('clearinghouses')} target="_blank" inherit underline="always">
              connector guide (new tab)
            </Anchor>
            .
          </>
        }
        autosize
        minRows={2}
        error={errorOf('more')}
        value={typed.more ?? ''}
        onChange={(event) => type('more', event.target.value)}
      />
    </>
  )
}

/** Empty while the stored secret is kept: masked, nobody could tell the words that stand for it from a secret, and would write behind them. */
function Secret({ field: { name, label, isRequired }, entry, errorOf }: Inputs & { field: SettingField }) {
  const isStored = entry.isStored(name)
  const text = entry.typed[name] ?? ''
  return (
    <div>
      <PasswordInput
        label={label}
        description={isStored && 'Stored. Leave it empty to keep it.'}
        required={isRequired === true && !isStored}
        autoComplete="new-password"
        value={text === STORED_SECRET ? '' : text}
        error={errorOf(name)}
        onChange={({ target: { value } }) => entry.type(name, isStored && value === '' ? STORED_SECRET : value)}
      />
      {isStored && !isRequired && (
        <Checkbox
          mt="xs"
          label={`Remove the stored ${label.toLowerCase()}`}
          checked={text === ''}
          onChange={({ target: { checked } }) => entry.type(name, checked ? '' : STORED_SECRET)}
        />
      )}
    </div>
  )
}
