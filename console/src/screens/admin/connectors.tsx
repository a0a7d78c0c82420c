import { Anchor, Button, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { guidePage } from '../../api/client.ts'
import type { Connector, ConnectorSummary, NewConnector } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { announce } from '../../ui/announce.tsx'
import { useDraft, useDraftField } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { Opened } from '../../ui/opened.tsx'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { Sure } from '../../ui/sure.tsx'
import styles from './admin.module.css'
import { type Kind, kinds, readSettings, type Typed, typedOf, withoutSecrets } from './connector-form.ts'
import { Lead } from './lead.tsx'

export default function Connectors() {
  const { data, error, refetch } = useRead('connectors.getMulti', {})
  const [changing, change] = useState<string>()
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="connectors" />
  return (
    <>
      <Lead>
        Your organization's own connections to payers. Payer routes determine which payer uses which connector. Without
        connectors, inquiries use the service's own connection.
      </Lead>
      {data.length === 0 ? (
        <Empty title="No connectors yet" />
      ) : (
        <Rows label="Connectors" heads={['Name', 'Kind', 'Used for', 'Test', 'Actions']}>
          {data.map((connector) => (
            <Row key={connector.name} connector={connector} onChange={() => change(connector.name)} />
          ))}
        </Rows>
      )}
      {changing ? (
        <Change key={changing} name={changing} onDone={() => change(undefined)} />
      ) : (
        <ConnectorForm key="new" onDone={() => {}} />
      )}
    </>
  )
}

function Row({ connector, onChange }: { connector: ConnectorSummary; onChange: () => void }) {
  const { name, kind, is_default, updated_at } = connector
  const remove = useWrite('connectors.remove', ['connectors.getMulti'])
  return (
    <tr>
      <td>{name}</td>
      <td>{kinds[kind as Kind]?.label ?? kind}</td>
      <td>{is_default ? 'Payers without a route (default)' : 'Payers with a route to it'}</td>
      <td>
        {/* The result of a test does not hold for other settings. */}
        <Test key={updated_at} name={name} needsPayer={kind !== 'stedi'} />
      </td>
      <td>
        <div className={styles.actions}>
          <Button size="xs" variant="default" onClick={onChange} aria-label={`Change ${name}`}>
            Change
          </Button>
          <Sure
            label="Remove"
            question={`Remove ${name} and its credentials?`}
            loading={remove.isPending}
            onYes={() =>
              remove.mutate({ path: { connector: name } }, { onSuccess: () => announce(`${name} is removed`) })
            }
          />
        </div>
        {remove.error && <Problem error={remove.error} />}
      </td>
    </tr>
  )
}

/** Sends one harmless inquiry about an invented patient. */
function Test({ name, needsPayer }: { name: string; needsPayer: boolean }) {
  const [payer, setPayer] = useState('')
  const [npi, setNpi] = useState('')
  const test = useWrite('connectors.test')
  const run = () =>
    test.mutate(
      {
        path: { connector: name },
        body: { ...(payer.trim() && { payer_id: payer.trim() }), ...(npi.trim() && { npi: npi.trim() }) },
      },
      {
        onSuccess: ({ works, explanation }) => announce(`${name} ${works ? 'works' : 'does not work'}. ${explanation}`),
      },
    )
  return (
    <Form onSubmit={run}>
      <div className={styles.actions}>
        <TextInput
          size="xs"
          w="7.5rem"
          aria-label={`Payer ID for the test of ${name}`}
          placeholder={needsPayer ? 'Payer ID' : 'Payer ID, if any'}
          required={needsPayer}
          value={payer}
          onChange={(event) => setPayer(event.target.value)}
        />
        <TextInput
          size="xs"
          w="7.5rem"
          aria-label={`NPI for the test of ${name}`}
          placeholder="NPI, if any"
          inputMode="numeric"
          value={npi}
          onChange={(event) => setNpi(event.target.value)}
        />
        <Button size="xs" type="submit" loading={test.isPending} aria-label={`Test ${name}`}>
          Test
        </Button>
      </div>
      {test.data && (
        <p>
          <StateMark
            state={test.data.works ? 'ok' : 'fault'}
            word={test.data.works ? 'Test succeeded' : 'Test failed'}
          />
          <br />
          {test.data.explanation}
        </p>
      )}
      {test.error && <Problem error={test.error} />}
    </Form>
  )
}

function Change({ name, onDone }: { name: string; onDone: () => void }) {
  const { data, error, refetch } = useRead('connectors.get', { path: { connector: name } }, { staleTime: 0 })
  if (error && !data) return <Problem error={error} retry={refetch} />
  return data ? <ConnectorForm key={data.updated_at} connector={data} onDone={onDone} /> : <Loading what={name} />
}

function ConnectorForm({ connector, onDone }: { connector?: Connector; onDone: () => void }) {
  const of = connector ? `${connector.name} ${connector.updated_at}` : 'new'
  const [name, setName, resetName] = useDraftField(`connector-name ${of}`, '')
  const [kind, setKind] = useDraftField<Kind>(`connector-kind ${of}`, (connector?.kind as Kind) ?? 'core')
  const stored = typedOf(kind, connector?.settings ?? {})
  const { value: kept, set: keep, clear } = useDraft<Typed>(`connector ${of}`, () => ({}))
  // Possible secrets are not kept with the draft, which is in the browser's storage.
  const [typed, setTyped] = useState<Typed>(() => ({ ...stored, ...kept }))
  const [fault, setFault] = useState<string>()
  const create = useWrite('connectors.create', ['connectors.getMulti'])
  const update = useWrite('connectors.update', ['connectors.getMulti', 'connectors.get'])
  const failure = create.error ?? update.error
  const type = (field: string, text: string) => {
    const next = { ...typed, [field]: text }
    setTyped(next)
    keep(withoutSecrets(kind, next))
  }
  const giveUp = () => {
    resetName()
    clear()
    onDone()
  }

  function save() {
    const settings = readSettings(kind, typed)
    if (settings === undefined) return setFault('More settings must be JSON, such as {"usage": "T"}')
    setFault(undefined)
    if (connector) {
      const done = () => {
        announce(`${connector.name} is saved`)
        giveUp()
      }
      update.mutate({ path: { connector: connector.name }, body: { settings } }, { onSuccess: done })
      return
    }
    const body: NewConnector = { name: name.trim(), kind, settings }
    const done = () => {
      announce(`${name.trim()} is created. Test it, then set a payer route`)
      setTyped(typedOf(kind, {}))
      giveUp()
    }
    create.mutate({ body }, { onSuccess: done })
  }

  return (
    <Form className={styles.box} onSubmit={save}>
      {connector ? <Opened>Change {connector.name}</Opened> : <h2>New connector</h2>}
      {connector && (
        <p className={styles.soft}>
          A secret shown as (set) is unchanged. If you change an address, enter the secret again.
        </p>
      )}
      <div className={styles.form}>
        {!connector && (
          <>
            <TextInput
              label="Name"
              description="Lowercase letters, digits and hyphens"
              required
              maxLength={50}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <NativeSelect
              label="Kind"
              data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
              value={kind}
              onChange={(event) => {
                const next = event.target.value as Kind
                setKind(next)
                setTyped(typedOf(next, {}))
                clear()
              }}
            />
          </>
        )}
        {kinds[kind].fields.map(({ name: field, label, isSecret, isRequired, description }) => {
          const Input = isSecret ? PasswordInput : TextInput
          return (
            <Input
              key={field}
              label={label}
              description={description}
              required={isRequired ?? false}
              autoComplete={isSecret ? 'new-password' : 'off'}
              value={typed[field] ?? ''}
              onChange={(event) => type(field, event.target.value)}
            />
          )
        })}
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
          error={fault}
          value={typed.more ?? ''}
          onChange={(event) => type('more', event.target.value)}
        />
      </div>
      {failure && <Problem error={failure} />}
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
