/** A whole number with thin no-break spaces between groups of three, from 1,000 on: "12 345". */
export function formatNumber(value: number): string {
  const digits = String(Math.abs(Math.trunc(value)))
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, '\u202f')
  return value < 0 ? `\u2212${grouped}` : grouped
}

/** A size in bytes in the unit a person would use. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${formatNumber(bytes)} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const text = value < 9.95 ? value.toFixed(1) : formatNumber(Math.round(value))
  return `${text} ${units[unit] ?? ''}`
}

/** A count with its noun: "1 change", "12 changes". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** A number of tokens, abbreviated: "840", "12.3k", "4.1M". */
export function formatTokens(count: number): string {
  if (count < 1000) return formatNumber(count)
  if (count < 999_500) return `${shortened(count / 1000)}k`
  return `${shortened(count / 1_000_000)}M`
}

function shortened(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : formatNumber(Math.round(value))
}

/** A price in dollars; large ones without cents. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars < 0.01) return '<$0.01'
  return dollars < 100 ? `$${dollars.toFixed(2)}` : `$${formatNumber(Math.round(dollars))}`
}
