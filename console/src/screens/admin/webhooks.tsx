import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { MutableWebhook, Webhook, WebhookDelivery } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import { nextAttempt, sayNext } from '../../rules/deliveries.ts'
import { announce } from '../../ui/announce.tsx'
import { Opened } from '../../ui/opened.tsx'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { Sure } from '../../ui/sure.tsx'
import styles from './admin.module.css'
import { Lead } from './lead.tsx'
import { SecretOnce } from './secret-once.tsx'
import { WebhookForm } from './webhook-form.tsx'

/** What is under way is read again, since no event tells of it. */
const AGAIN_MS = 5_000
const isWaiting = ({ status }: WebhookDelivery) => status === 'PENDING'

export default function Webhooks() {
  const { data, error, refetch } = useRead(
    'webhooks.getMulti',
    {},
    { refetchInterval: ({ state }) => (state.data?.some((webhook) => webhook.next_attempt_at) ? AGAIN_MS : false) },
  )
  const [secret, show] = useState<string>()
  const [opened, open] = useState<string>()
  const [editing, edit] = useState<string>()
  const mayChange = useMay('webhooks.create')
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="webhooks" />
  const edited = data.find(({ id }) => id === editing)
  const shown = data.find(({ id }) => id === opened)
  return (
    <>
      <Lead>Programs that are notified of events. Failed deliveries are retried for several days.</Lead>
      {secret && (
        <SecretOnce
          title="The secret that signs deliveries"
          fields={[['Secret', secret]]}
          onDone={() => show(undefined)}
        />
      )}
      {data.length === 0 ? (
        <Empty title="No webhooks yet" />
      ) : (
        <Rows label="Webhooks" heads={['Address', 'Events', 'State', 'Actions']}>
          {data.map((webhook) => (
            <Row
              key={webhook.id}
              webhook={webhook}
              mayChange={mayChange}
              onSecret={show}
              onOpen={() => open(webhook.id)}
              onEdit={() => edit(webhook.id)}
            />
          ))}
        </Rows>
      )}
      {mayChange && edited && <WebhookForm key={edited.id} webhook={edited} onDone={() => edit(undefined)} />}
      {shown && <Deliveries key={shown.id} webhook={shown} mayChange={mayChange} />}
      {mayChange && !edited && <WebhookForm key="new" onSecret={show} onDone={() => {}} />}
    </>
  )
}

interface RowProps {
  webhook: Webhook
  mayChange: boolean
  onSecret: (secret: string) => void
  onOpen: () => void
  onEdit: () => void
}

function Row({ webhook, mayChange, onSecret, onOpen, onEdit }: RowProps) {
  const { organization } = useSession()
  const at = (instant: string) => formatInstant(instant, organization.time_zone)
  const test = useWrite('webhooks.test')
  const update = useWrite('webhooks.update', ['webhooks.getMulti'])
  const rotate = useWrite('webhooks.rotateSecret')
  const remove = useWrite('webhooks.remove', ['webhooks.getMulti'])
  const path = { webhook_id: webhook.id }
  const { url, event_types, description, includes_record, enabled } = webhook
  const switchTo = (isOn: boolean) => {
    const body: MutableWebhook = {
      url,
      event_types,
      includes_record,
      enabled: isOn,
      ...(description && { description }),
    }
    update.mutate(
      { path, body },
      { onSuccess: () => announce(isOn ? 'The webhook is turned on' : 'The webhook is turned off') },
    )
  }
  const failure = test.error ?? update.error ?? rotate.error ?? remove.error
  return (
    <tr>
      <td>
        <span className={styles.code}>{url}</span>
        {description && <div className={styles.soft}>{description}</div>}
        {includes_record && <div className={styles.soft}>Includes records</div>}
      </td>
      <td>{event_types.join(', ')}</td>
      <td>
        {webhook.disabled_at ? (
          <StateMark state="fault" word="Disabled by the service" />
        ) : !enabled ? (
          <StateMark state="warning" word="Off" />
        ) : webhook.failing_since ? (
          <StateMark state="warning" word="Failing" />
        ) : (
          <StateMark state="ok" word="On" />
        )}
        <div className={styles.soft}>
          {webhook.disabled_reason ?? (webhook.failing_since && `since ${at(webhook.failing_since)}`)}
        </div>
        {webhook.next_attempt_at && (
          <div className={styles.soft}>Next attempt: {sayNext(webhook.next_attempt_at, Date.now(), at)}</div>
        )}
      </td>
      <td>
        <div className={styles.actions}>
          <Button size="xs" variant="default" onClick={onOpen} aria-label={`Deliveries to ${url}`}>
            Deliveries
          </Button>
          {mayChange && (
            <>
              <Button size="xs" variant="default" onClick={onEdit} aria-label={`Change ${url}`}>
                Change
              </Button>
              <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate({ path })}>
                Test
              </Button>
              <Button size="xs" variant="default" loading={update.isPending} onClick={() => switchTo(!enabled)}>
                {enabled ? 'Turn off' : 'Turn on'}
              </Button>
              <Sure
                label="New secret"
                question="Create a new secret? Both secrets sign deliveries for 24 hours."
                onYes={() => rotate.mutate({ path }, { onSuccess: (made) => onSecret(made.secret) })}
              />
              <Sure
                label="Remove"
                question="Remove this webhook and its deliveries?"
                onYes={() => remove.mutate({ path }, { onSuccess: () => announce('The webhook is removed') })}
              />
            </>
          )}
        </div>
        {test.data && (
          <p role="status">
            <StateMark
              state={test.data.delivered ? 'ok' : 'fault'}
              word={test.data.delivered ? 'Delivered' : 'Not delivered'}
            />
            {test.data.error && `: ${test.data.error}`}
          </p>
        )}
        {failure && <Problem error={failure} />}
      </td>
    </tr>
  )
}

const WORDS = { DELIVERED: ['ok', 'Delivered'], PENDING: ['warning', 'Waiting'], FAILED: ['fault', 'Failed'] } as const
type Status = WebhookDelivery['status']

function Deliveries({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const { organization } = useSession()
  const [status, setStatus] = useState<Status | ''>('')
  const [tokens, setTokens] = useState<string[]>([])
  const token = tokens.at(-1)
  const query = { limit: 25, ...(status && { status }), ...(token && { page_token: token }) }
  const { data, error, refetch } = useRead(
    'webhooks.getDeliveries',
    { path: { webhook_id: webhook.id }, query },
    { refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? AGAIN_MS : false) },
  )
  const again = useWrite('webhooks.replayDelivery', ['webhooks.getDeliveries'])
  const since = useWrite('webhooks.replay', ['webhooks.getDeliveries'])
  const path = { webhook_id: webhook.id }
  const at = (instant: string) => formatInstant(instant, organization.time_zone)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  return (
    <section className={styles.box} aria-label={`Deliveries to ${webhook.url}`}>
      <Opened>Deliveries to {webhook.url}</Opened>
      <div className={styles.actions}>
        <NativeSelect
          aria-label="Filter deliveries"
          size="xs"
          data={[
            { value: '', label: 'All' },
            { value: 'FAILED', label: 'Failed' },
            { value: 'PENDING', label: 'Waiting' },
            { value: 'DELIVERED', label: 'Delivered' },
          ]}
          value={status}
          onChange={(event) => {
            setStatus(event.target.value as Status | '')
            setTokens([])
          }}
        />
        {mayChange && (
          <Sure
            label="Resend the last 24 hours"
            question="All events of the last 24 hours are sent again, including delivered ones."
            loading={since.isPending}
            onYes={() =>
              since.mutate(
                { path, body: { since: hoursAgo(24) } },
                { onSuccess: ({ deliveries }) => announce(`${deliveries} deliveries are being resent`) },
              )
            }
          />
        )}
      </div>
      {(since.error ?? again.error) && <Problem error={since.error ?? again.error} />}
      {error && !data && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading what="deliveries" rows={3} />}
      {data?.items.length === 0 && <Empty title="No deliveries" />}
      {data && data.items.length > 0 && (
        <Rows
          label="Deliveries"
          heads={['Event', 'State', 'Attempts', 'Last attempt', 'Next attempt', 'Answer', 'Actions']}
        >
          {data.items.map((delivery) => {
            const [state, word] = WORDS[delivery.status]
            return (
              <tr key={delivery.number}>
                <td>
                  {delivery.event_type}
                  <div className={styles.soft}>{delivery.record_id}</div>
                </td>
                <td>
                  <StateMark state={state} word={word} />
                </td>
                <td>{delivery.attempts}</td>
                <td>{delivery.last_attempt_at ? at(delivery.last_attempt_at) : 'None yet'}</td>
                <td>{nextAttempt(delivery, webhook, Date.now(), at)}</td>
                <td>{delivery.error ?? delivery.response_status ?? ''}</td>
                <td>
                  {mayChange && (
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() =>
                        again.mutate(
                          { path: { ...path, number: delivery.number } },
                          { onSuccess: () => announce('The event is being resent') },
                        )
                      }
                    >
                      Resend
                    </Button>
                  )}
                </td>
              </tr>
            )
          })}
        </Rows>
      )}
      <div className={styles.actions}>
        {tokens.length > 0 && (
          <Button size="xs" variant="default" onClick={() => setTokens(tokens.slice(0, -1))}>
            Newer
          </Button>
        )}
        {data?.next_page_token && (
          <Button size="xs" variant="default" onClick={() => setTokens([...tokens, data.next_page_token ?? ''])}>
            Older
          </Button>
        )}
      </div>
    </section>
  )
}
