import type { FoundPayer } from './search.ts'

const KINDS: Record<string, 'supported' | 'notSupported' | 'enrollmentRequired'> = {
  SUPPORTED: 'supported',
  NOT_SUPPORTED: 'notSupported',
  ENROLLMENT_REQUIRED: 'enrollmentRequired',
}

/**
 * The number of payers found, and by transaction how many of them support it. Our choice: a payer of unknown support is not counted.
 * Source: clearinghouse.md A6, `stats`.
 */
export function statsOf(found: FoundPayer[]) {
  const transactionSupport: Record<string, Record<(typeof KINDS)[string], number>> = {}
  for (const { payer } of found) {
    for (const [transaction, value] of Object.entries(payer.transaction_support)) {
      const kind = KINDS[value]
      if (!kind) continue
      transactionSupport[transaction] ??= { supported: 0, notSupported: 0, enrollmentRequired: 0 }
      transactionSupport[transaction][kind]++
    }
  }
  return { total: found.length, transactionSupport }
}
