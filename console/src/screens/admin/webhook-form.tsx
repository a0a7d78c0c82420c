// Makes or changes a webhook.
import { Button, Checkbox, TextInput } from '@mantine/core'
import type { MutableWebhook, Webhook, WebhookWithSecret } from '../../api/generated.ts'
import { useWrite } from '../../api/query.ts'
import { entered } from '../../rules/entered.ts'
import { announce } from '../../ui/announce.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { Opened } from '../../ui/opened.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'

const typedOf = (webhook: Webhook | undefined) => ({
  url: webhook?.url ?? '',
  types: webhook?.event_types.join(', ') ?? '*',
  description: webhook?.description ?? '',
  includesRecord: webhook?.includes_record ?? false,
  isEnabled: webhook?.enabled ?? true,
})

interface Props {
  /** Undefined for a new one. */
  webhook?: Webhook
  onMade?: (made: WebhookWithSecret) => void
  onDone: () => void
}

export function WebhookForm({ webhook, onMade, onDone }: Props) {
  const key = webhook ? `webhook ${webhook.id} ${webhook.updated_at}` : 'webhook new'
  const { value: typed, set, clear } = useDraft(key, () => typedOf(webhook))
  const create = useWrite('webhooks.create', ['webhooks.getMulti'])
  const update = useWrite('webhooks.update', ['webhooks.getMulti'])
  const { form, errorOf, rest } = useRefusals(webhook ? update : create, {
    url: typed.url,
    event_types: typed.types,
    description: typed.description,
  })
  const event_types = typed.types.split(/[\s,]+/).filter(Boolean)
  const giveUp = () => {
    set(typedOf(webhook))
    clear()
    onDone()
  }
  function save() {
    const description = entered(typed.description)
    const body: MutableWebhook = {
      url: entered(typed.url),
      event_types,
      includes_record: typed.includesRecord,
      enabled: typed.isEnabled,
      ...(description && { description }),
    }
    const saved = () => {
      announce('The webhook is saved')
      giveUp()
    }
    if (webhook) return update.mutate({ path: { webhook_id: webhook.id }, body }, { onSuccess: saved })
    create.mutate(
      { body },
      {
        onSuccess(made) {
          giveUp()
          onMade?.(made)
        },
      },
    )
  }
  return (
    <Form ref={form} className={styles.box} onSubmit={save}>
      {webhook ? <Opened>Change {webhook.url}</Opened> : <h2>New webhook</h2>}
      <div className={styles.form}>
        <TextInput
          label="Address"
          description="https, on the public Internet"
          type="url"
          required
          value={typed.url}
          error={errorOf('url')}
          onChange={(event) => set({ ...typed, url: event.target.value })}
        />
        <TextInput
          label="Events"
          description="patient.created, appointment.*, or * for everything"
          required
          value={typed.types}
          error={errorOf('event_types')}
          onChange={(event) => set({ ...typed, types: event.target.value })}
        />
        <TextInput
          label="Description"
          maxLength={200}
          value={typed.description}
          error={errorOf('description')}
          onChange={(event) => set({ ...typed, description: event.target.value })}
        />
        <Checkbox
          className={styles.wide ?? ''}
          label="Include records, not only their IDs"
          checked={typed.includesRecord}
          onChange={(event) => set({ ...typed, includesRecord: event.target.checked })}
        />
        <Checkbox
          className={styles.wide ?? ''}
          label="Send deliveries"
          checked={typed.isEnabled}
          onChange={(event) => set({ ...typed, isEnabled: event.target.checked })}
        />
      </div>
      {rest !== undefined && <Problem error={rest} />}
      <div className={styles.actions}>
        <Button type="submit" mt="sm" loading={create.isPending || update.isPending}>
          {webhook ? 'Save' : 'Create webhook'}
        </Button>
        {webhook && (
          <Button variant="default" mt="sm" onClick={giveUp}>
            Cancel
          </Button>
        )}
      </div>
    </Form>
  )
}
