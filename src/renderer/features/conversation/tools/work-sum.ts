import { readTool } from '../../../../shared/conversation/tool-reading'
import { toolsOf, type Item } from '../../../../shared/conversation/transcript'

interface Done {
  name: string
  added: number
  removed: number
}

/** By item, since reading a tool may compare whole files; an item that grows is another object. */
const done = new WeakMap<Item, readonly Done[]>()

/** What was done, by the names of the tools: "Bash 6, Edit 3". */
export function sumUp(items: readonly Item[]) {
  const counts = new Map<string, number>()
  let [added, removed, steps] = [0, 0, 0]
  for (const tool of items.flatMap(doneIn)) {
    counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1)
    steps++
    added += tool.added
    removed += tool.removed
  }
  const named = [...counts].map(([name, count]) => (count === 1 ? name : `${name} ${count}`))
  return { subject: named.join(', '), added, removed, steps }
}

function doneIn(item: Item): readonly Done[] {
  let known = done.get(item)
  if (!known) done.set(item, (known = readDone(item)))
  return known
}

function readDone(item: Item): Done[] {
  if (item.kind !== 'reply') return []
  return toolsOf(item.blocks).map((call) => {
    const { name, body } = readTool(call)
    if (body.kind !== 'edit' || call.state !== 'done') return { name, added: 0, removed: 0 }
    const { added, removed } = body.change
    return { name, added, removed: removed ?? 0 }
  })
}
