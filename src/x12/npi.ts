/** Ten digits whose last is the Luhn digit of the rest behind the prefix 80840. Source: 45 CFR 162.406, ISO/IEC 7812-1. */
export function isNpi(npi: string): boolean {
  if (!/^\d{10}$/.test(npi)) return false
  // 24 is what the prefix 80840 adds to the sum.
  let sum = 24
  for (let position = 0; position < 10; position++) {
    const digit = Number(npi[position])
    const weighted = position % 2 === 0 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
