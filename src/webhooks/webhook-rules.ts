import type { Config } from '../config.ts'
import type { EventTypes } from '../events/event-types.ts'
import { findUrlFault } from '../platform/outbound/public-address.ts'
import { webhookNetworks } from './webhook-networks.ts'

/** The fault of a webhook's settings, for every caller that creates one; undefined when there is none. */
export function findWebhookFault(
  config: Pick<Config, 'WEBHOOK_PRIVATE_NETWORKS'>,
  types: EventTypes,
  { url, event_types }: { url: string; event_types: readonly string[] },
): string | undefined {
  return findUrlFault(url, webhookNetworks(config)) ?? types.faultOf(event_types)
}
