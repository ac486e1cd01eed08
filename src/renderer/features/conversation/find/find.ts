import { isPictureData } from '../message/picture-data'
import { readTool } from '../../../../shared/conversation/tool-reading'
import type { Block, Item, ReadTranscript } from '../../../../shared/conversation/transcript'
import type { Density } from '../../../state/sessions/conversation-layout'
import { isSaying } from '../list/rows'

/** A place where the text was found. */
export interface FindMatch {
  /** The item's id, so that it stays right when pages come in front. */
  item: string
  /** The part of the item: the id of the fold that it may be hidden in. */
  part: string
  /** Which of the part's matches it is, from 0. */
  nth: number
}

/** A part of an item with all text that it can show. */
export interface TextPart {
  id: string
  text: string
}

/** No more matches than this are found. */
export const mostMatches = 10_000

/**
 * The pattern for a search: case doesn't matter, white space matches any white space, and Markdown's marks for strong
 * words may stand between words. Null for an empty search.
 */
export function findPattern(text: string): RegExp | null {
  const words = text.trim().split(/\s+/)
  if (words.length === 0 || words[0] === '') return null
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(escaped.join('[*_`~]{0,3}\\s+[*_`~]{0,3}'), 'giu')
}

/** All matches in an item, in the order in which they are shown. */
export function matchesIn(item: Item, pattern: RegExp, density: Density): FindMatch[] {
  return partsOf(item, density).flatMap(({ id, text }) =>
    Array.from({ length: countIn(text, pattern) }, (_, nth) => ({ item: item.id, part: id, nth })),
  )
}

function countIn(text: string, pattern: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) if (++count >= 1000) break
  return count
}

/** The parts of an item with what can be read in them. Ids of parts are those of their folds. */
export function partsOf(item: Item, density: Density): TextPart[] {
  if (item.kind === 'notice') return [{ id: item.id, text: item.text }]
  if (density === 'summary' && !isSaying(item)) return []
  return item.blocks.flatMap((block, index) => partsOfBlock(block, partId(item.id, block, index), density))
}

/** The id of a block's part and fold. */
export function partId(item: string, block: Block, index: number): string {
  return block.kind === 'tool' ? `${item}/${block.call.id}` : `${item}/${index}`
}

function partsOfBlock(block: Block, id: string, density: Density): TextPart[] {
  switch (block.kind) {
    case 'text':
      return [{ id, text: block.text }]
    case 'thinking':
      return density === 'summary' ? [] : [{ id, text: block.text }]
    case 'tool':
      return density === 'summary' ? [] : [{ id, text: toolText(block) }]
    case 'document':
      return [{ id, text: block.title }]
    case 'image':
      return isPictureData(block.mediaType, block.data) ? [] : [{ id, text: block.url ?? '' }]
    case 'other':
      return density === 'summary' ? [] : [{ id, text: asJson(block.value) }]
  }
}

function toolText({ call }: Extract<Block, { kind: 'tool' }>): string {
  const { name, subject, body } = readTool(call)
  const parts = [name, subject]
  switch (body.kind) {
    case 'run':
      parts.push(body.command === subject ? '' : body.command, body.output, body.errors)
      break
    case 'edit':
      for (const { before, after } of body.change.parts) parts.push(before, after)
      break
    case 'plan':
      parts.push(body.text, ...(body.todos ?? []).map(({ text }) => text))
      break
    case 'ask':
      parts.push(
        ...body.questions.flatMap(({ question, options, answer }) => [question, ...options, answer ?? '']),
      )
      break
    case 'task':
    case 'fetch':
      parts.push(body.prompt, body.text)
      break
    case 'read':
    case 'search':
    case 'think':
    case 'begun':
      parts.push(body.text)
      break
    case 'other':
      parts.push(asJson(body.input), body.text)
  }
  return parts.join('\n')
}

function asJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

/** The state of a search through a transcript. */
export interface FindState {
  matches: readonly FindMatch[]
  /** There are more. */
  isPartial: boolean
  /** From 0 to 1. */
  progress: number
}

/** Milliseconds of searching at a time, so that typing and scrolling go on. */
const slice = 12

/**
 * Searches all items in order, some at a time, and reports its state now and then and at the end. Stops when `signal`
 * is aborted. `rest` waits until the page may be held up again.
 */
export async function findAll(
  transcript: ReadTranscript,
  pattern: RegExp,
  density: Density,
  tell: (state: FindState) => void,
  signal: AbortSignal,
  rest: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve)),
): Promise<void> {
  const matches: FindMatch[] = []
  const { length } = transcript
  let since = performance.now()
  for (let index = 0; index < length && matches.length < mostMatches; index++) {
    const item = transcript.at(index)
    if (item) matches.push(...matchesIn(item, pattern, density))
    if (performance.now() - since < slice) continue
    tell({ matches: [...matches], isPartial: false, progress: index / length })
    await rest()
    if (signal.aborted) return
    since = performance.now()
  }
  const isPartial = matches.length >= mostMatches
  tell({ matches: matches.slice(0, mostMatches), isPartial, progress: 1 })
}
