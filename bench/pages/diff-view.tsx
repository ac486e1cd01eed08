import { Change, MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, Text } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { createRoot } from 'react-dom/client'
import { client } from '../../src/renderer/state/host/client'
import { ReviewView } from '../../src/renderer/features/review/review-view'
import { TooltipProvider } from '../../src/renderer/ui/overlays/tooltip'
import { createChannelPair } from '../../test/channel-pair'
import { diffTexts, type TextChange } from '../../src/shared/text/line-diff'
import { startDraft } from '../../src/shared/review/draft'
import { areLong, headOf } from '../../src/shared/review/draft-head'
import '../../src/renderer/ui/theme/base.css'

/** What is measured in this page; each answers with milliseconds from the first call to the painted frame. */
export interface DiffViewBench {
  /** Makes a file of so many lines with a tenth changed. */
  prepare(lines: number, layout: 'unified' | 'side-by-side'): void
  /** The review, from the host's message on: parsed, fetched in pieces, mounted, painted, with every change drawn. */
  ours(): Promise<number>
  /** The same until its first text is painted. */
  firstText(): Promise<number>
  /** CodeMirror's merge view alone with the same changes, which it need not compute. */
  merge(): Promise<number>
  /** CodeMirror alone with the proposed text. */
  plain(): Promise<number>
  /** How many characters of the review's text are on the page; that something was drawn at all. */
  check(): Promise<number>
}

declare global {
  interface Window {
    diffView: DiffViewBench
    gc?: () => void
  }
}

const place = document.getElementById('place') ?? document.body
const pieceLength = 256 * 1024
let base = ''
let proposed = ''
let changes: readonly TextChange[] = []
let snapshotFrame = ''
/** The host's answers, made beforehand: its work is not the page's. */
let pieces: Record<string, string[]> = {}
let lineCount = 0
const lineHeight = 19
let layout: 'unified' | 'side-by-side' = 'unified'

window.diffView = {
  prepare(lines, wanted) {
    layout = wanted
    lineCount = lines
    const a: string[] = []
    const b: string[] = []
    for (let i = 0; i < lines; i++) {
      const line = `  const value${i} = compute(${i % 97}, '${(i * 7919) % 10007}')`
      a.push(line)
      b.push(i % 10 === 9 ? line.replace('const', 'let') : line)
    }
    base = `${a.join('\n')}\n`
    proposed = `${b.join('\n')}\n`
    changes = diffTexts(Text.of(base.split('\n')), Text.of(proposed.split('\n')))
    snapshotFrame = makeSnapshot(lines)
  },
  ours: () => measure(openOurs, isWhole),
  firstText: () => measure(openOurs),
  merge: () => measure(layout === 'unified' ? openUnified : openBeside),
  plain: () => measure(openPlain),
  async check() {
    const close = openOurs()
    await painted(() => place.querySelector('.cm-line') !== null)
    const { length } = place.querySelector('.cm-content')?.textContent ?? ''
    close()
    return length
  },
}

/** Whether the review is as high as all of its changes make it: the removed lines stand between the others. */
function isWhole(): boolean {
  if (layout === 'side-by-side') return true
  const height = place.querySelector('.gl-side-b .cm-content')?.getBoundingClientRect().height ?? 0
  return height > lineHeight * (lineCount + changes.length - 1)
}

async function measure(open: () => () => void, isDone = () => true): Promise<number> {
  window.gc?.()
  // Begin right after a frame, so that all kinds wait equally long for the next one.
  await painted()
  const start = performance.now()
  const close = open()
  await painted(() => place.querySelector('.cm-line') !== null && isDone())
  const time = performance.now() - start
  close()
  await painted()
  return time
}

/** Resolves after the next frame in which something holds has been painted. What a frame measures itself counts. */
function painted(holds = () => true): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', () => (holds() ? resolve() : look()), { once: true })
        channel.port1.start()
        channel.port2.postMessage(null)
      })
    }
    look()
  })
}

function openOurs(): () => void {
  const [page, host] = createChannelPair()
  host.onMessage((frame) => {
    const message = JSON.parse(frame) as {
      t: string
      id: number
      topic?: string
      params?: { from: number; handle: string }
    }
    if (message.topic === 'review') host.send(`{"id":${message.id},${snapshotFrame.slice(1)}`)
    if (message.topic === 'settings') {
      const settings = { reviewLayout: layout, reviewFoldUnchanged: true }
      host.send(JSON.stringify({ t: 'snap', id: message.id, rev: 1, data: settings }))
    }
    if (message.t === 'call' && message.params) {
      const { from, handle } = message.params
      const result = pieces[handle]?.[from / pieceLength] ?? ''
      host.send(`{"t":"ok","id":${message.id},"result":${result}}`)
    }
  })
  client.attach(page)
  const root = createRoot(place)
  root.render(
    <TooltipProvider>
      <ReviewView reviewId="r1" active />
    </TooltipProvider>,
  )
  return () => root.unmount()
}

const override = () => changes.map(({ fromA, toA, fromB, toB }) => new Change(fromA, toA, fromB, toB))
const collapseUnchanged = { margin: 3, minSize: 6 }

function openUnified(): () => void {
  const box = addBox()
  const view = new EditorView({
    parent: box,
    doc: proposed,
    extensions: [
      lineNumbers(),
      unifiedMergeView({ original: base, diffConfig: { override }, collapseUnchanged }),
    ],
  })
  return () => {
    view.destroy()
    box.remove()
  }
}

function openBeside(): () => void {
  const box = addBox()
  const view = new MergeView({
    parent: box,
    a: { doc: base, extensions: [lineNumbers(), EditorState.readOnly.of(true)] },
    b: { doc: proposed, extensions: [lineNumbers()] },
    diffConfig: { override },
    collapseUnchanged,
  })
  return () => {
    view.destroy()
    box.remove()
  }
}

function openPlain(): () => void {
  const box = addBox()
  const view = new EditorView({ parent: box, doc: proposed, extensions: [lineNumbers()] })
  return () => {
    view.destroy()
    box.remove()
  }
}

function addBox(): HTMLElement {
  const box = document.createElement('div')
  box.className = 'bare'
  place.append(box)
  return box
}

function makePieces(text: string): string[] {
  const made: string[] = []
  for (let from = 0; from < text.length; from += pieceLength) {
    const piece = text.slice(from, from + pieceLength)
    made.push(JSON.stringify({ piece, done: from + pieceLength >= text.length }))
  }
  return made
}

function makeSnapshot(lines: number): string {
  const draft = startDraft(Text.of(base.split('\n')), Text.of(proposed.split('\n')), changes.slice())
  const json = JSON.stringify(draft.hunks)
  pieces = { a: makePieces(base), b: makePieces(proposed), hunks: makePieces(json) }
  const reference = (handle: string, text: string) =>
    text.length <= pieceLength ? { text } : { handle, length: text.length }
  const isLong = areLong(draft.hunks)
  const head = base.length > pieceLength || isLong ? headOf(draft) : null
  const summary = {
    id: 'r1',
    path: '/project/values.txt',
    name: 'values.txt',
    folder: '',
    agent: 'Claude',
    dialect: 'claude-ide',
    connection: 'c1',
    title: '',
    phase: 'open',
    effect: 'agent',
    content: 'text',
    isNew: false,
    isOutside: false,
    isReadOnly: false,
    isStale: false,
    addedLines: lines / 10,
    removedLines: lines / 10,
    changes: draft.hunks.length,
    decided: 0,
    written: draft.hunks.length,
    askedAt: Date.now(),
    problem: null,
    revision: 1,
  }
  const data = {
    summary,
    draft: {
      kind: 'text',
      version: 0,
      a: reference('a', base),
      b: reference('b', proposed),
      hunks: isLong ? { handle: 'hunks' } : draft.hunks,
      ...(head
        ? { head: { a: head.a.toString(), b: head.b.toString(), hunks: head.hunks, lines: draft.b.lines } }
        : {}),
      facts: { encoding: 'utf-8', bom: false, eol: 'lf' },
      offered: false,
      lineEndsOnly: false,
    },
  }
  return JSON.stringify({ t: 'snap', rev: 1, data })
}
