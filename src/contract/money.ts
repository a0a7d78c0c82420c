/**
 * An amount in dollars as people read it on every screen, on paper, in a terminal and in a sentence: `$1,500`, `$20.50`, `-$5`. Cents are written
 * where there are any.
 */
export function money(dollars: number): string {
  const text = Math.abs(dollars).toFixed(2)
  const sign = dollars < 0 && Number(text) !== 0 ? '-' : ''
  const [whole = '', cents] = text.split('.')
  const grouped = whole.replaceAll(/(?<=^\d+)(?=(?:\d{3})+$)/g, ',')
  return `${sign}$${grouped}${cents === undefined || cents === '00' ? '' : `.${cents}`}`
}
