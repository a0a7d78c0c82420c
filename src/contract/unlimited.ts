/** Only nines, which payers send for an amount without a limit: 99999.99, 999999.99, 9999999. */
const NINES = /^9{5,}(?:\.9+)?$/

/** Whether an amount in dollars means that there is not a limit. */
export const isUnlimited = (amount: number): boolean => NINES.test(String(amount))
