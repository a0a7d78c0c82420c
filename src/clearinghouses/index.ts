import { type Clearinghouse, ClearinghouseError } from './clearinghouse.ts'
import { createCoreClearinghouse } from './core/core-clearinghouse.ts'
import type { CoreForm } from './core/fields.ts'

/** The settings of the service that concern its clearinghouse. */
export interface ClearinghouseSettings {
  CLEARINGHOUSE_URL?: string
  CLEARINGHOUSE_FORM: CoreForm
  CLEARINGHOUSE_USERNAME?: string
  CLEARINGHOUSE_PASSWORD?: string
  CLEARINGHOUSE_SENDER_ID: string
  CLEARINGHOUSE_RECEIVER_ID: string
  CLEARINGHOUSE_ISA_SENDER_QUALIFIER: string
  CLEARINGHOUSE_ISA_SENDER_ID: string
  CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER: string
  CLEARINGHOUSE_ISA_RECEIVER_ID: string
  CLEARINGHOUSE_USAGE: 'P' | 'T'
  CLEARINGHOUSE_TIMEOUT_MS: number
  CLEARINGHOUSE_MAX_CONCURRENCY: number
}

/**
 * The connector that the settings choose: the CORE endpoint of `CLEARINGHOUSE_URL`, else the sandbox at `sandboxUrl`, which
 * is reached through the same connector. Without either, every check fails and says what to configure.
 */
export function createClearinghouse(settings: ClearinghouseSettings, sandboxUrl?: string): Clearinghouse {
  const url = settings.CLEARINGHOUSE_URL ?? sandboxUrl
  if (url === undefined) return noClearinghouse
  return createCoreClearinghouse({
    name: settings.CLEARINGHOUSE_URL === undefined ? 'sandbox' : 'core',
    url,
    form: settings.CLEARINGHOUSE_FORM,
    senderId: settings.CLEARINGHOUSE_SENDER_ID,
    receiverId: settings.CLEARINGHOUSE_RECEIVER_ID,
    username: settings.CLEARINGHOUSE_USERNAME,
    password: settings.CLEARINGHOUSE_PASSWORD,
    interchange: {
      senderQualifier: settings.CLEARINGHOUSE_ISA_SENDER_QUALIFIER,
      senderId: settings.CLEARINGHOUSE_ISA_SENDER_ID,
      receiverQualifier: settings.CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER,
      receiverId: settings.CLEARINGHOUSE_ISA_RECEIVER_ID,
    },
    usage: settings.CLEARINGHOUSE_USAGE,
    timeoutMs: settings.CLEARINGHOUSE_TIMEOUT_MS,
    maxConcurrency: settings.CLEARINGHOUSE_MAX_CONCURRENCY,
  })
}

const noClearinghouse: Clearinghouse = {
  name: 'none',
  async checkEligibility() {
    throw new ClearinghouseError('No clearinghouse is configured; set CLEARINGHOUSE_URL', {
      code: 'NotConfigured',
      retryable: false,
    })
  },
}
