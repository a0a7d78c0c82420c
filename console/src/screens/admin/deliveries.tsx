// The deliveries to one webhook, newest first, each with its outcome.
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Webhook, WebhookDelivery } from '../../api/generated.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { formatInstant } from '../../rules/days.ts'
import { isWaiting, nextAttempt, READ_AGAIN_MS } from '../../rules/deliveries.ts'
import { announce } from '../../ui/announce.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Opened } from '../../ui/opened.tsx'
import { PageButtons, usePages } from '../../ui/pages.tsx'
import { Rows } from '../../ui/rows.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'

type Status = WebhookDelivery['status']
const WORDS = { FAILED: ['fault', 'Failed'], PENDING: ['warning', 'Waiting'], DELIVERED: ['ok', 'Delivered'] } as const
const CHOICES = [{ value: '', label: 'All' }, ...Object.entries(WORDS).map(([value, [, label]]) => ({ value, label }))]
const HEADS = ['Event', 'State', 'Attempts', 'Last attempt', 'Next attempt', 'Answer', 'Actions']

export function Deliveries({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const [status, setStatus] = useState<Status | ''>('')
  const pages = usePages()
  const { token } = pages
  const path = { webhook_id: webhook.id }
  const query = { limit: 25, ...(status && { status }), ...(token && { page_token: token }) }
  const { data, error, refetch } = useRead(
    'webhooks.getDeliveries',
    { path, query },
    { refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? READ_AGAIN_MS : false) },
  )
  const resend = useWrite('webhooks.replayDelivery', ['webhooks.getDeliveries'])
  const resendLatest = useWrite('webhooks.replay', ['webhooks.getDeliveries'])
  const failure = resendLatest.error ?? resend.error
  return (
    <section className={styles.box} aria-label={`Deliveries to ${webhook.url}`}>
      <Opened>Deliveries to {webhook.url}</Opened>
      <div className={styles.actions}>
        <NativeSelect
          aria-label="Filter deliveries"
          size="xs"
          data={CHOICES}
          value={status}
          onChange={(event) => {
            setStatus(event.target.value as Status | '')
            pages.restart()
          }}
        />
        {mayChange && (
          <ConfirmButton
            label="Resend the last 24 hours"
            question="All events of the last 24 hours are sent again, including delivered ones."
            loading={resendLatest.isPending}
            onYes={() =>
              resendLatest.mutate(
                { path, body: { since: dayBefore(Date.now()) } },
                { onSuccess: ({ deliveries }) => announce(`${deliveries} deliveries are being resent`) },
              )
            }
          />
        )}
      </div>
      {failure && <Problem error={failure} />}
      {error && !data && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading what="deliveries" rows={3} />}
      {data?.items.length === 0 && <Empty title="No deliveries" />}
      {data && data.items.length > 0 && (
        <Rows label="Deliveries" heads={HEADS}>
          {data.items.map((delivery) => (
            <Row key={delivery.number} webhook={webhook} delivery={delivery}>
              {mayChange && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Resend event ${delivery.number}`}
                  onClick={() =>
                    resend.mutate(
                      { path: { ...path, number: delivery.number } },
                      { onSuccess: () => announce('The event is being resent') },
                    )
                  }
                >
                  Resend
                </Button>
              )}
            </Row>
          ))}
        </Rows>
      )}
      <div className={styles.actions}>
        <PageButtons pages={pages} next={data?.next_page_token} size="xs" />
      </div>
    </section>
  )
}

function Row({ webhook, delivery, children }: { webhook: Webhook; delivery: WebhookDelivery; children: ReactNode }) {
  const { organization } = useSession()
  const at = (instant: string) => formatInstant(instant, organization.time_zone)
  const [state, word] = WORDS[delivery.status]
  return (
    <tr>
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
      <td>{children}</td>
    </tr>
  )
}

const dayBefore = (now: number) => new Date(now - 24 * 3_600_000).toISOString()
