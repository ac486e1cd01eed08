import { diffLines } from '../../../shared/text/line-diff'

const context = 3

/**
 * A unified diff that `patch` and `git apply` accept. Texts keep their own line endings; `before` is null for a new
 * file. `path` gets git's usual a/ and b/ in front.
 */
export function createPatch(path: string, before: string | null, after: string): string {
  const name = path.replaceAll('\\', '/').replace(/^\//, '')
  const a = linesOf(before ?? '')
  const b = linesOf(after)
  const head = `--- ${before === null ? '/dev/null' : `a/${name}`}\n+++ b/${name}\n`
  let text = ''
  for (const group of groupChanges(diffLines(a, b))) {
    const first = group[0]
    const last = group.at(-1)
    if (!first || !last) continue
    const fromA = Math.max(0, first.fromA - context)
    const fromB = Math.max(0, first.fromB - context)
    const toA = Math.min(a.length, last.toA + context)
    const toB = Math.min(b.length, last.toB + context)
    text += `@@ -${span(fromA, toA)} +${span(fromB, toB)} @@\n`
    let at = fromA
    for (const change of group) {
      text += mark(' ', a.slice(at, change.fromA))
      text += mark('-', a.slice(change.fromA, change.toA))
      text += mark('+', b.slice(change.fromB, change.toB))
      at = change.toA
    }
    text += mark(' ', a.slice(at, toA))
  }
  return text === '' ? '' : head + text
}

/** Lines including their endings; the last may have none. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function mark(sign: string, lines: readonly string[]): string {
  return lines
    .map((line) => (line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`))
    .join('')
}

function span(from: number, to: number): string {
  const length = to - from
  return `${length === 0 ? from : from + 1}${length === 1 ? '' : `,${length}`}`
}

type Change = ReturnType<typeof diffLines>[number]

/** Groups changes whose context would touch. */
function groupChanges(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = []
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1)
    if (last && change.fromA - last.toA <= 2 * context) groups.at(-1)?.push(change)
    else groups.push([change])
  }
  return groups
}
