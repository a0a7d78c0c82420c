import type { Deps } from '../deps.ts'
import { createSender } from './send.ts'
import { webhookNetworks } from './webhook-networks.ts'
import type { Target } from './webhook-store.ts'

/** Sends one event of type `webhook.test`, and returns the result. */
export async function sendTest(deps: Pick<Deps, 'config' | 'now' | 'newId'>, target: Target) {
  const sender = createSender(webhookNetworks(deps.config), deps.now)
  const id = deps.newId()
  const data = { organization_id: target.organizationId, record_type: 'webhook', id: target.id }
  const body = JSON.stringify({ id, type: 'webhook.test', timestamp: deps.now().toISOString(), data })
  try {
    const { isDelivered, status, durationMs, error } = await sender.send({ ...target, id, body })
    return {
      delivered: isDelivered,
      ...(status !== undefined && { response_status: status }),
      duration_ms: durationMs,
      ...(error !== undefined && { error }),
    }
  } finally {
    await sender.close()
  }
}
