/** What `isNpi` requires, for messages. */
export const NPI_RULE = 'a National Provider Identifier: ten digits with a check digit'

/**
 * Ten digits, the last of which is the Luhn check digit over the prefix 80840 and the first nine. Source: 45 CFR 162.406, ISO/IEC 7812-1.
 */
export function isNpi(npi: string): boolean {
  if (!/^\d{10}$/.test(npi)) return false
  // 24 is the contribution of the prefix 80840 to the sum.
  let sum = 24
  for (let position = 0; position < 10; position++) {
    const digit = Number(npi[position])
    const weighted = position % 2 === 0 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
