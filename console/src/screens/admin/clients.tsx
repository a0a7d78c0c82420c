import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ApiClient, ApiClientCredentials } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import { entered } from '../../rules/entered.ts'
import { newSecretWords } from '../../rules/secrets.ts'
import { announce } from '../../ui/announce.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useDraftField } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { Opened } from '../../ui/opened.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { Lead } from './lead.tsx'
import { SecretOnce } from './secret-once.tsx'

export default function Clients() {
  const { data, error, refetch } = useRead('apiClients.getMulti', {})
  const [shown, show] = useState<ApiClientCredentials>()
  const [changing, change] = useState<string>()
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="API clients" />
  const of = (id: string | undefined) => data.find(({ client_id }) => client_id === id)
  const shownOf = of(shown?.client_id)
  const changed = of(changing)
  return (
    <>
      <Lead>
        Programs that call Anteroom for your organization, such as a scheduling system or a report. Each has its own
        secret and can only do what its scopes allow.
      </Lead>
      {shown && !shownOf?.revoked && (
        <SecretOnce
          title={shownOf ? `Client secret of ${shownOf.name}` : 'Client secret'}
          fields={[
            ['Client ID', shown.client_id],
            ['Secret', shown.client_secret],
          ]}
          onDone={() => show(undefined)}
        />
      )}
      {data.length === 0 ? (
        <Empty title="No clients yet" />
      ) : (
        <Rows label="API clients" heads={['Name', 'Scopes', 'State', 'Created', 'Actions']}>
          {data.map((client) => (
            <Row key={client.client_id} client={client} onSecret={show} onScopes={() => change(client.client_id)} />
          ))}
        </Rows>
      )}
      {changed && !changed.revoked ? (
        <Scopes key={changed.client_id} client={changed} onDone={() => change(undefined)} />
      ) : (
        <NewClient onMade={show} />
      )}
    </>
  )
}

function Row({
  client,
  onSecret,
  onScopes,
}: {
  client: ApiClient
  onSecret: (made: ApiClientCredentials) => void
  onScopes: () => void
}) {
  const { organization } = useSession()
  const rotate = useWrite('apiClients.rotateSecret', ['apiClients.getMulti'])
  const revoke = useWrite('apiClients.revoke', ['apiClients.getMulti'])
  const { data: scopes } = useRead('apiClients.getScopes', {})
  /** The service refuses a new secret to a user with fewer permissions than the client. */
  const hasMore = client.scopes.some((each) => scopes?.some(({ scope, grantable }) => scope === each && !grantable))
  const path = { client_id: client.client_id }
  const failure = rotate.error ?? revoke.error
  return (
    <tr>
      <td>
        {client.name}
        <br />
        <code className={styles.soft}>{client.client_id}</code>
      </td>
      <td>{client.scopes.includes('all') ? 'Everything' : client.scopes.join(', ')}</td>
      <td>{client.revoked ? <StateMark state="fault" word="Revoked" /> : <StateMark state="ok" word="Works" />}</td>
      <td>{formatInstant(client.created_at, organization.time_zone)}</td>
      <td>
        {!client.revoked && (
          <div className={styles.actions}>
            <Button size="xs" variant="default" onClick={onScopes} aria-label={`Change scopes of ${client.name}`}>
              Scopes
            </Button>
            {hasMore ? (
              <span className={styles.soft}>
                Has more permissions than you. Create its new secret on the server with{' '}
                <code>anteroom client rotate</code>.
              </span>
            ) : (
              <ConfirmButton
                label="New secret"
                name={`New secret for ${client.name}`}
                question={newSecretWords(
                  client,
                  `A new secret for ${client.name}? The current one keeps working for 24 hours.`,
                  organization.time_zone,
                )}
                loading={rotate.isPending}
                onYes={() => rotate.mutate({ path }, { onSuccess: onSecret })}
              />
            )}
            <ConfirmButton
              label="Revoke"
              name={`Revoke ${client.name}`}
              question={`Revoke ${client.name} permanently? It stops working within seconds.`}
              loading={revoke.isPending}
              onYes={() => revoke.mutate({ path }, { onSuccess: () => announce(`${client.name} is revoked`) })}
            />
          </div>
        )}
        {failure && <Problem error={failure} />}
      </td>
    </tr>
  )
}

const NO_SCOPES: string[] = []

function NewClient({ onMade }: { onMade: (made: ApiClientCredentials) => void }) {
  const [name, setName, resetName] = useDraftField('new-client-name', '')
  const [scopes, setScopes, resetScopes] = useDraftField<string[]>('new-client-scopes', NO_SCOPES)
  const create = useWrite('apiClients.create', ['apiClients.getMulti'])
  const { form, errorOf, rest } = useRefusals(create, { name })
  return (
    <Form
      ref={form}
      className={styles.box}
      onSubmit={() => {
        create.mutate(
          { body: { name: entered(name), scopes } },
          {
            onSuccess(made) {
              resetName()
              resetScopes()
              onMade(made)
            },
          },
        )
      }}
    >
      <h2>New client</h2>
      <TextInput
        label="Name"
        required
        maxLength={200}
        value={name}
        error={errorOf('name')}
        onChange={(event) => setName(event.target.value)}
        mb="sm"
      />
      <ScopeChoice chosen={scopes} onChange={setScopes} />
      {rest !== undefined && <Problem error={rest} />}
      <Button type="submit" loading={create.isPending} disabled={scopes.length === 0} mt="sm">
        Create client
      </Button>
    </Form>
  )
}

function Scopes({ client, onDone }: { client: ApiClient | undefined; onDone: () => void }) {
  const stored = client?.scopes ?? NO_SCOPES
  const [scopes, setScopes, reset] = useDraftField<string[]>(`scopes ${client?.client_id} ${stored.join(' ')}`, stored)
  const close = () => {
    reset()
    onDone()
  }
  const update = useWrite('apiClients.update', ['apiClients.getMulti'])
  if (!client) return null
  return (
    <Form
      className={styles.box}
      onSubmit={() => {
        const done = () => {
          announce(`The scopes of ${client.name} are changed`)
          close()
        }
        update.mutate({ path: { client_id: client.client_id }, body: { scopes } }, { onSuccess: done })
      }}
    >
      <Opened>Scopes of {client.name}</Opened>
      <ScopeChoice chosen={scopes} onChange={setScopes} />
      {update.error && <Problem error={update.error} />}
      <div className={styles.actions}>
        <Button type="submit" loading={update.isPending} disabled={scopes.length === 0} mt="sm">
          Save
        </Button>
        <Button variant="default" onClick={close} mt="sm">
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** `all` excludes the others; a user can only grant scopes that they have. */
function ScopeChoice({ chosen, onChange }: { chosen: string[]; onChange: (next: string[]) => void }) {
  const { data, error, refetch } = useRead('apiClients.getScopes', {})
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="scopes" rows={3} />
  const toggle = (scope: string, isOn: boolean) => {
    if (scope === 'all') return onChange(isOn ? ['all'] : [])
    const others = chosen.filter((each) => each !== scope && each !== 'all')
    onChange(isOn ? [...others, scope] : others)
  }
  return (
    <fieldset className={styles.fieldset}>
      <legend>Scopes</legend>
      {chosen.length === 0 && <p className={styles.soft}>Choose at least one.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <div className={styles.choices} tabIndex={0}>
        {data.map(({ scope, description, grantable }) => (
          <Checkbox
            key={scope}
            label={description}
            description={grantable ? scope : `${scope}. You do not have this scope.`}
            disabled={!grantable}
            checked={chosen.includes(scope)}
            onChange={(event) => toggle(scope, event.target.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}
