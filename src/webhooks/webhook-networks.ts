import type { Config } from '../config.ts'
import { type Networks, readNetworks } from '../platform/outbound/public-address.ts'

/** The networks beside the public Internet to which webhooks may be sent. @throws StartupError */
export const webhookNetworks = (config: Pick<Config, 'WEBHOOK_PRIVATE_NETWORKS'>): Networks =>
  readNetworks('WEBHOOK_PRIVATE_NETWORKS', config.WEBHOOK_PRIVATE_NETWORKS)
