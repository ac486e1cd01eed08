import { createRoot } from 'react-dom/client'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { createDraft } from '../../src/renderer/features/conversation/composer/memory-draft'
import type {
  ConversationActions,
  ConversationState,
} from '../../src/renderer/features/conversation/conversation-state'
import { ConversationView } from '../../src/renderer/features/conversation/conversation-view'
import { TooltipProvider } from '../../src/renderer/ui/overlays/tooltip'
import {
  addChange,
  LiveTranscript,
  type TranscriptChange,
} from '../../src/shared/conversation/live-transcript'
import type { Item } from '../../src/shared/conversation/transcript'
import { succeed } from '../../src/shared/result'
import '../../src/renderer/ui/theme/base.css'

/** What a stream took: the times between frames, and the page's own work, in milliseconds. */
export interface StreamFigures {
  frames: number[]
  /** Of each batch of pieces, from its coming to the end of the frame's own script and layout. */
  work: number[]
}

export type StreamKind = 'ours' | 'code' | 'bare'

/** What is measured in this page. */
export interface StreamBench {
  /**
   * Opens a conversation of 2,000 messages, the last of which has so many characters: the app's, with paragraphs or with
   * one block of code, or paragraphs in a bare page.
   */
  open(kind: StreamKind, characters: number): Promise<void>
  /** Streams 200 pieces a second into its end for so long, then closes it. */
  stream(milliseconds: number): Promise<StreamFigures>
}

declare global {
  interface Window {
    streamBench: StreamBench
  }
}

const messages = 2000
const rate = 200
/** As the host tells what comes. */
const pause = 16
const place = document.getElementById('place') ?? document.body
const paragraph =
  'Some words of an answer with **strong** ones, `code` and what else there is to be said of it.\n\n'

const reply = (id: string, text: string): Item => ({
  ...{ kind: 'reply', id, offset: 0, at: null, branches: null, model: null, usage: null, costUSD: null },
  ...{ stopReason: null, isError: false, blocks: [{ kind: 'text', text }] },
})
const line = '  const answer = ask("a question", 42) // and what is to be said of it\n'
const filled = (part: string, characters: number) => part.repeat(Math.ceil(characters / part.length))
const beginning = (characters: number) => filled(paragraph, characters)
const codeBeginning = (characters: number) => `\`\`\`js\n${filled(line, characters)}`

const actions: ConversationActions = {
  ...{
    openFile: () => undefined,
    openPlace: () => undefined,
    openLink: () => undefined,
    stop: () => undefined,
  },
  ...{
    earlier: () => undefined,
    restart: () => undefined,
    setDensity: () => undefined,
    exportAs: () => undefined,
    queue: null,
  },
  restore: () => Promise.resolve(succeed({})),
  send: () => Promise.resolve(succeed({})),
}
/** The same one each time, as in the app: another one would have React go through all that is drawn. */
const drawDiff = () => null
const draft = createDraft('', [])

function openOurs(text: string) {
  const transcript = new LiveTranscript()
  transcript.activity = 'working'
  transcript.apply(
    Array.from({ length: messages }, (_, index) => ({
      kind: 'put' as const,
      item: reply(`m${index}`, index === messages - 1 ? text : paragraph.repeat(3)),
    })),
  )
  const state: ConversationState = {
    ...{ id: 'c', title: 'Stream', agent: 'Robo', transcript, revision: 1, density: 'normal', queue: [] },
    ...{ history: { kind: 'here', earlier: 'none' }, sending: { kind: 'ready' } },
  }
  const store = createStore<ConversationState>(() => state)
  const root = createRoot(place)
  const Page = () => (
    <TooltipProvider>
      <div style={{ height: '100%' }}>
        <ConversationView
          state={useStore(store)}
          draft={draft}
          actions={actions}
          drawDiff={drawDiff}
          active
        />
      </div>
    </TooltipProvider>
  )
  root.render(<Page />)
  return {
    take: (pieces: readonly string[]) => {
      const changes: TranscriptChange[] = []
      for (const text of pieces)
        addChange(changes, { kind: 'more', item: `m${messages - 1}`, place: 0, text })
      transcript.apply(changes)
      store.setState({ revision: store.getState().revision + 1 })
    },
    close: () => root.unmount(),
  }
}

function openBare(characters: number) {
  const room = document.createElement('div')
  room.style.cssText = 'height: 100%; overflow: auto'
  for (const text of beginning(characters).split('\n\n')) {
    const line = document.createElement('p')
    line.textContent = text
    room.append(line)
  }
  place.append(room)
  let last = room.lastElementChild
  return {
    take: (pieces: readonly string[]) => {
      for (const piece of pieces) {
        last?.append(piece)
        if (!piece.endsWith('\n\n')) continue
        last = document.createElement('p')
        room.append(last)
      }
      room.scrollTop = room.scrollHeight
    },
    close: () => room.remove(),
  }
}

const codePiece = (told: number) => (told % 12 === 11 ? `piece ${told};\n` : `piece(${told}) `)
const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

let opened = openBare(0)
let isCode = false

window.streamBench = {
  async open(kind, characters) {
    opened.close()
    isCode = kind === 'code'
    if (kind === 'bare') opened = openBare(characters)
    else opened = openOurs(isCode ? codeBeginning(characters) : beginning(characters))
    // Drawn, and rows ahead of what is in sight made ready.
    for (let count = 0; count < 60; count++) await frame()
  },
  async stream(milliseconds) {
    const frames: number[] = []
    const work: number[] = []
    let waiting: string[] = []
    let told = 0
    const begun = performance.now()
    const source = setInterval(() => {
      for (const due = ((performance.now() - begun) / 1000) * rate; told < due; told++)
        waiting.push(
          isCode ? codePiece(told) : told % 12 === 11 ? `piece ${told}.\n\n` : `piece **${told}** `,
        )
    }, 5)
    const teller = setInterval(() => {
      if (waiting.length === 0) return
      const pieces = waiting
      waiting = []
      const from = performance.now()
      opened.take(pieces)
      requestAnimationFrame(() => {
        // After this frame's layout and paint.
        const channel = new MessageChannel()
        channel.port1.onmessage = () => work.push(performance.now() - from)
        channel.port2.postMessage(null)
      })
    }, pause)
    let last = await frame()
    while (last - begun < milliseconds) {
      const now = await frame()
      frames.push(now - last)
      last = now
    }
    clearInterval(source)
    clearInterval(teller)
    opened.close()
    return { frames, work }
  },
}
