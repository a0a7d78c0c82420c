import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ConnectorSummary, PayerRoute } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { type Kind, kinds, usedFor } from '../../rules/connectors.ts'
import { entered, enteredNpi } from '../../rules/entered.ts'
import { announce } from '../../ui/announce.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Form } from '../../ui/form.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { ConnectorForm } from './connector-form.tsx'
import { Lead } from './lead.tsx'

export default function Connectors() {
  const { data, error, refetch } = useRead('connectors.getMulti', {})
  const { data: routes } = useRead('payerRoutes.getMulti', {})
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
            <Row
              key={connector.name}
              connector={connector}
              routes={routes?.filter((route) => route.connector === connector.name)}
              onChange={() => change(connector.name)}
            />
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

interface RowProps {
  connector: ConnectorSummary
  /** Those that lead to it; undefined until they are read. */
  routes: readonly PayerRoute[] | undefined
  onChange: () => void
}

function Row({ connector, routes, onChange }: RowProps) {
  const { name, kind, updated_at } = connector
  const remove = useWrite('connectors.remove', ['connectors.getMulti'])
  return (
    <tr>
      <td>{name}</td>
      <td>{kinds[kind as Kind]?.label ?? kind}</td>
      <td>{routes && usedFor(routes)}</td>
      <td>
        {/* The result of a test does not hold for other settings. */}
        <Test key={updated_at} name={name} needsPayer={!kinds[kind as Kind]?.listsPayers} />
      </td>
      <td>
        <div className={styles.actions}>
          <Button size="xs" variant="default" onClick={onChange} aria-label={`Change ${name}`}>
            Change
          </Button>
          <ConfirmButton
            label="Remove"
            name={`Remove ${name}`}
            question={`Remove ${name} and its credentials?`}
            loading={remove.isPending}
            onYes={() =>
              remove.mutate({ path: { connector: name } }, { onSuccess: () => announce(`${name} is removed`) })
            }
          />
        </div>
        {remove.error && <Problem name={`${name} was not removed`} error={remove.error} />}
      </td>
    </tr>
  )
}

/** Sends one harmless inquiry about an invented patient. */
function Test({ name, needsPayer }: { name: string; needsPayer: boolean }) {
  const [payer, setPayer] = useState('')
  const [npi, setNpi] = useState('')
  const test = useWrite('connectors.test')
  const { form, errorOf, rest } = useRefusals(test, { payer_id: payer, npi })
  const run = () =>
    test.mutate(
      {
        path: { connector: name },
        body: { ...(entered(payer) && { payer_id: entered(payer) }), ...(enteredNpi(npi) && { npi: enteredNpi(npi) }) },
      },
      {
        onSuccess: ({ works, explanation }) => announce(`${name} ${works ? 'works' : 'does not work'}. ${explanation}`),
      },
    )
  return (
    <Form ref={form} onSubmit={run}>
      <div className={styles.actions}>
        <TextInput
          size="xs"
          w="7.5rem"
          aria-label={`Payer ID for the test of ${name}`}
          placeholder={needsPayer ? 'Payer ID' : 'Payer ID, if any'}
          required={needsPayer}
          value={payer}
          error={errorOf('payer_id')}
          onChange={(event) => setPayer(event.target.value)}
        />
        <TextInput
          size="xs"
          w="7.5rem"
          aria-label={`NPI for the test of ${name}`}
          placeholder="NPI, if any"
          inputMode="numeric"
          value={npi}
          error={errorOf('npi')}
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
      {rest !== undefined && <Problem error={rest} />}
    </Form>
  )
}

function Change({ name, onDone }: { name: string; onDone: () => void }) {
  // Not as it was read for an earlier change: the form would be replaced, with what was typed, when the newer answer arrives.
  const fresh = { staleTime: 0, gcTime: 0 }
  const { data, error, refetch } = useRead('connectors.get', { path: { connector: name } }, fresh)
  if (error && !data) return <Problem error={error} retry={refetch} />
  return data ? <ConnectorForm key={data.updated_at} connector={data} onDone={onDone} /> : <Loading what={name} />
}
