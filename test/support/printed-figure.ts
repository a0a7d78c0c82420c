/**
 * A figure of a truth as the printed table has it: `20 %`, `$1,500`, `$20.50`, and of a limitation, which may be of dollars or visits, `1,500`. No longer
 * figure that begins alike.
 */
export function printedFigure(type = '', value = ''): RegExp {
  if (type === 'COINSURANCE') return new RegExp(`${value} %`)
  const minimumFractionDigits = Number.isInteger(Number(value)) ? 0 : 2
  const grouped = Number(value).toLocaleString('en-US', { minimumFractionDigits })
  return new RegExp(`${type === 'LIMITATION' ? '' : '\\$'}${grouped.replace('.', '\\.')}(?![.,]?\\d)`)
}
