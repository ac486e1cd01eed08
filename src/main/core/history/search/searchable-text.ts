import { makeItem, type ReadLine, type ToolKnowledge } from '../../../../shared/conversation/session-item'
import { objectOf, stringOf } from '../../../../shared/json'
import { firstOf } from '../../../../shared/rpc/message-pieces'
import { contentOf } from '../../../../shared/conversation/session-record'
import type { Block } from '../../../../shared/conversation/transcript'

/** Who said a text. */
export type Speaker = 'you' | 'agent' | 'tool' | 'notice'

/** A text in a line that a person can read, and therefore search for. */
export interface SearchableText {
  speaker: Speaker
  /** The call whose result it is; null for everything else. */
  call: string | null
  text: string
}

/** How much of a text is searched, in characters: a tool's output may be long. */
const longestText = 32 * 1024
/** The same for a tool's input. */
const longestInput = 16 * 1024
const noTools: ToolKnowledge = { result: () => null, progress: () => null, agent: () => null }

/**
 * The texts in a line that its conversation shows: prompts, replies with thoughts, tools' inputs and results, notices.
 * Nothing from a line that the conversation leaves out.
 */
export function searchableTexts(line: ReadLine): SearchableText[] {
  const found = line.key === null ? null : shownText(line)
  return [...(found ? [found] : []), ...resultTexts(line)].filter(({ text }) => text !== '')
}

function shownText(line: ReadLine): SearchableText {
  const unit = {
    ...{ key: line.key ?? '', lines: [line], first: line, parent: null, children: [], position: 0 },
    ...{ hasTalk: true, latest: line.offset, next: null, ways: null },
  }
  const item = makeItem(unit, noTools)
  switch (item.kind) {
    case 'notice':
      return { speaker: 'notice', call: null, text: firstOf(item.text, longestText) }
    case 'prompt':
      return { speaker: 'you', call: null, text: textOfBlocks(item.blocks) }
    case 'reply': {
      const isWork = item.blocks.every((block) => block.kind === 'tool')
      return { speaker: isWork ? 'tool' : 'agent', call: null, text: textOfBlocks(item.blocks) }
    }
  }
}

function resultTexts({ record, isPrompt }: ReadLine): SearchableText[] {
  if (isPrompt || record['type'] !== 'user') return []
  return contentOf(record).flatMap((value): SearchableText[] => {
    const part = objectOf(value)
    if (part?.['type'] !== 'tool_result') return []
    const { content } = part
    const inner =
      typeof content === 'string' ? [content] : Array.isArray(content) ? (content as unknown[]) : []
    const texts = inner.flatMap((one) =>
      typeof one === 'string' ? one : (stringOf(objectOf(one)?.['text']) ?? []),
    )
    return [
      { speaker: 'tool', call: stringOf(part['tool_use_id']), text: firstOf(texts.join('\n'), longestText) },
    ]
  })
}

function textOfBlocks(blocks: readonly Block[]): string {
  return firstOf(blocks.map(textOfBlock).join('\n').trim(), longestText)
}

function textOfBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'thinking':
      return block.text
    case 'tool': {
      const words: string[] = [block.call.name]
      gatherTexts(block.call.input, words, 0)
      return firstOf(words.join('\n'), longestInput)
    }
    case 'document':
      return block.title
    case 'image':
    case 'other':
      return ''
  }
}

/** All texts in a value, at any depth. */
function gatherTexts(value: unknown, into: string[], depth: number): void {
  if (typeof value === 'string') into.push(value)
  else if (typeof value === 'object' && value !== null && depth < 8) {
    for (const inner of Object.values(value)) gatherTexts(inner, into, depth + 1)
  }
}
