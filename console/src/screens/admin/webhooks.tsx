import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Webhook, WebhookTestResult, WebhookWithSecret } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { useMay, useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import { READ_AGAIN_MS, sayNext, switchedTo, webhookState } from '../../rules/deliveries.ts'
import { newSecretWords } from '../../rules/secrets.ts'
import { announce } from '../../ui/announce.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { Deliveries } from './deliveries.tsx'
import { Lead } from './lead.tsx'
import { SecretOnce } from './secret-once.tsx'
import { WebhookForm } from './webhook-form.tsx'

export default function Webhooks() {
  const [made, show] = useState<Made>()
  const [opened, open] = useState<string>()
  // A delivery that has failed is listed below a webhook that is on: the list says so as soon as the deliveries do.
  const { data, error, refetch } = useRead(
    'webhooks.getMulti',
    {},
    {
      refetchInterval: ({ state }) =>
        opened !== undefined || state.data?.some((webhook) => webhook.next_attempt_at) ? READ_AGAIN_MS : false,
    },
  )
  const [editing, edit] = useState<string>()
  const mayChange = useMay('webhooks.create')
  if (error && !data) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="webhooks" />
  const edited = data.find(({ id }) => id === editing)
  const shown = data.find(({ id }) => id === opened)
  return (
    <>
      <Lead>Programs that are notified of events. Failed deliveries are retried for several days.</Lead>
      {made && (
        <SecretOnce
          title={`The secret that signs deliveries to ${made.url}`}
          fields={[['Secret', made.secret]]}
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
              onMade={show}
              onRemoved={() => made?.id === webhook.id && show(undefined)}
              onOpen={() => open(webhook.id)}
              onEdit={() => edit(webhook.id)}
            />
          ))}
        </Rows>
      )}
      {mayChange && edited && <WebhookForm key={edited.id} webhook={edited} onDone={() => edit(undefined)} />}
      {shown && <Deliveries key={shown.id} webhook={shown} mayChange={mayChange} />}
      {mayChange && !edited && <WebhookForm key="new" onMade={show} onDone={() => {}} />}
    </>
  )
}

/** A webhook with a new secret. */
type Made = Pick<WebhookWithSecret, 'id' | 'url' | 'secret'>

interface RowProps {
  webhook: Webhook
  mayChange: boolean
  onMade: (made: Made) => void
  onRemoved: () => void
  onOpen: () => void
  onEdit: () => void
}

function Row({ webhook, mayChange, onMade, onRemoved, onOpen, onEdit }: RowProps) {
  const { organization } = useSession()
  const test = useWrite('webhooks.test')
  const update = useWrite('webhooks.update', ['webhooks.getMulti'])
  const rotate = useWrite('webhooks.rotateSecret', ['webhooks.getMulti'])
  const remove = useWrite('webhooks.remove', ['webhooks.getMulti'])
  const path = { webhook_id: webhook.id }
  const { url, event_types, description, includes_record, enabled } = webhook
  const turn = (isOn: boolean) =>
    update.mutate(
      { path, body: switchedTo(isOn, webhook) },
      { onSuccess: () => announce(isOn ? 'The webhook is turned on' : 'The webhook is turned off') },
    )
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
        <State webhook={webhook} />
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
              <Button
                size="xs"
                variant="default"
                aria-label={`Test ${url}`}
                loading={test.isPending}
                onClick={() => test.mutate({ path })}
              >
                Test
              </Button>
              <Button
                size="xs"
                variant="default"
                aria-label={`${enabled ? 'Turn off' : 'Turn on'} ${url}`}
                loading={update.isPending}
                onClick={() => turn(!enabled)}
              >
                {enabled ? 'Turn off' : 'Turn on'}
              </Button>
              <ConfirmButton
                label="New secret"
                name={`New secret for ${url}`}
                question={newSecretWords(
                  webhook,
                  'Create a new secret? Both secrets sign deliveries for 24 hours.',
                  organization.time_zone,
                )}
                onYes={() =>
                  rotate.mutate({ path }, { onSuccess: ({ secret }) => onMade({ id: webhook.id, url, secret }) })
                }
              />
              <ConfirmButton
                label="Remove"
                name={`Remove ${url}`}
                question="Remove this webhook and its deliveries?"
                onYes={() => {
                  const onSuccess = () => {
                    announce('The webhook is removed')
                    onRemoved()
                  }
                  remove.mutate({ path }, { onSuccess })
                }}
              />
            </>
          )}
        </div>
        {test.data && <Tested {...test.data} />}
        {failure && <Problem error={failure} />}
      </td>
    </tr>
  )
}

/** What an administrator does about it, and that the events of the time between are not lost. */
const TURNED_ON_AGAIN = 'When the receiver works again, turn it on: it continues where it stopped.'

function State({ webhook }: { webhook: Webhook }) {
  const { organization } = useSession()
  const at = (instant: string) => formatInstant(instant, organization.time_zone)
  const { disabled_at, disabled_reason, failing_since, next_attempt_at } = webhook
  return (
    <>
      <StateMark {...webhookState(webhook)} />
      <div className={styles.soft}>{disabled_reason ?? (failing_since && `since ${at(failing_since)}`)}</div>
      {disabled_at && <div className={styles.soft}>{TURNED_ON_AGAIN}</div>}
      {next_attempt_at && <div className={styles.soft}>Next attempt: {sayNext(next_attempt_at, Date.now(), at)}</div>}
    </>
  )
}

/** What became of the event that a test sent. */
function Tested({ delivered, error }: WebhookTestResult) {
  return (
    <p role="status">
      <StateMark state={delivered ? 'ok' : 'fault'} word={delivered ? 'Delivered' : 'Not delivered'} />
      {error && `: ${error}`}
    </p>
  )
}
