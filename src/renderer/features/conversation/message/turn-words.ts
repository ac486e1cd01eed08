import type { Turn, Usage } from '../../../../shared/conversation/transcript'
import { formatCost, formatNumber, formatTokens } from '../../../ui/wording/number-format'

/** A span of milliseconds: "0.4 s", "12 s", "3 min 20 s", "2 h 5 min". */
export function formatSpan(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** All that went to the model, read from a cache or not. */
function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite
}

/** What a turn took, in parts that are put in a row; empty where nothing is known. */
export function describeTurn(turn: Turn): string[] {
  const { duration, startedAt, endedAt, usage, costUSD } = turn
  // Without an answer of the model it was no work worth a number.
  const between = startedAt !== null && endedAt !== null && usage !== null ? endedAt - startedAt : 0
  const span = duration ?? (between > 0 ? between : null)
  return [...(span === null ? [] : [formatSpan(span)]), ...describeCosts(usage, costUSD)]
}

/** Tokens and money, as far as they are known. */
export function describeCosts(usage: Usage | null, costUSD: number | null): string[] {
  return [
    ...(usage === null ? [] : [`${formatTokens(inputTokens(usage))} in, ${formatTokens(usage.output)} out`]),
    ...(costUSD === null ? [] : [formatCost(costUSD)]),
  ]
}

/** Tokens one kind by one, for who wants to know exactly. */
export function describeUsage(usage: Usage): string {
  const { input, output, cacheRead, cacheWrite } = usage
  return [
    `${formatNumber(input)} tokens in`,
    `${formatNumber(cacheRead)} from the cache`,
    `${formatNumber(cacheWrite)} into the cache`,
    `${formatNumber(output)} out`,
  ].join(', ')
}
