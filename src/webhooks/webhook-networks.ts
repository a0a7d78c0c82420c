import type { Config } from '../config.ts'
import { type Networks, readNetworks } from '../platform/outbound/public-address.ts'

/** The networks, besides the public Internet, that webhooks may be sent to. @throws StartupError */
export const webhookNetworks = (config: Pick<Config, 'WEBHOOK_PRIVATE_NETWORKS'>): Networks =>
  readNetworks('WEBHOOK_PRIVATE_NETWORKS', config.WEBHOOK_PRIVATE_NETWORKS)
