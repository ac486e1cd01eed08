import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view'
import { createRoot } from 'react-dom/client'
import { EditorPane } from '../../src/renderer/features/editor/editor-pane'
import { runEditors, sessionOf } from '../../src/renderer/features/editor/editor-sessions'
import { client } from '../../src/renderer/state/host/client'
import { link } from '../../src/renderer/state/host/link'
import { TooltipProvider } from '../../src/renderer/ui/overlays/tooltip'
import { createChannelPair } from '../../test/channel-pair'
import '../../src/renderer/ui/theme/base.css'

/** What is measured in this page: real keys come from outside, each is timed from its event to the painted frame. */
export interface EditorBench {
  /** Opens the app's editor and a plain one with the same text of so many bytes; gives how many characters are drawn. */
  prepare(bytes: number): Promise<number>
  /** Shows one of them, with the cursor in the middle of its text and the focus in it. */
  show(kind: 'ours' | 'plain'): Promise<void>
  /** The times of the keys since it was asked last, in milliseconds. */
  taken(): Promise<number[]>
}

declare global {
  interface Window {
    editorBench: EditorBench
  }
}

const place = document.getElementById('place') ?? document.body
const pieceLength = 256 * 1024
const path = '/project/values.txt'
const tab = {
  id: 'tab-1',
  kind: 'file',
  path,
  name: 'values.txt',
  side: 'left',
  pinned: false,
  preview: false,
  dirty: false,
  waited: false,
  outside: false,
} as const

let text = ''
let plain: EditorView | null = null
const boxes = { ours: addBox(), plain: addBox() }
let times: number[] = []
let waiting = 0

/** Answers like a host that has nothing else to do; its own work is another process's and not measured here. */
function serve(): void {
  const [page, host] = createChannelPair()
  let document = 0
  let version = 0
  let revision = 1
  host.onMessage((frame) => {
    const message = JSON.parse(frame) as {
      t: string
      id: number
      topic?: string
      name?: string
      params?: { from: number; version: number; updates: unknown[] }
    }
    const answer = (result: unknown) => host.send(JSON.stringify({ t: 'ok', id: message.id, result }))
    const snapshot = (data: unknown) => host.send(JSON.stringify({ t: 'snap', id: message.id, rev: 1, data }))
    if (message.topic === 'tabs')
      snapshot({ tabs: [tab], active: tab.id, shown: { left: tab.id, right: null } })
    else if (message.topic === 'settings') snapshot({})
    else if (message.topic === 'document') {
      document = message.id
      const facts = { encoding: 'utf-8', bom: false, eol: 'lf', dirty: false, readOnly: false, disk: 'same' }
      const meta = { path, ...facts, guessed: false, indent: null }
      snapshot({ kind: 'text', version: 0, text: { handle: 'text', length: text.length }, meta })
    } else if (message.name === 'text.read' && message.params) {
      const { from } = message.params
      const piece = text.slice(from, from + pieceLength)
      answer({ piece, done: from + pieceLength >= text.length })
    } else if (message.name === 'documents.push' && message.params) {
      const { updates } = message.params
      const data = { kind: 'updates', version, updates }
      version += updates.length
      host.send(JSON.stringify({ t: 'delta', id: document, rev: ++revision, data }))
      answer({ status: 'accepted' })
    } else if (message.t === 'call') answer({})
  })
  client.attach(page)
  link.setState({ state: 'live' })
}

window.editorBench = {
  async prepare(bytes) {
    const lines: string[] = []
    for (let length = 0, i = 0; length < bytes; i++) {
      const line = `  const value${i} = compute(${i % 97}, '${(i * 7919) % 10007}')`
      lines.push(line)
      length += line.length + 1
    }
    text = `${lines.join('\n')}\n`
    serve()
    runEditors()
    createRoot(boxes.ours).render(
      <TooltipProvider>
        <EditorPane tab={tab} active />
      </TooltipProvider>,
    )
    plain = new EditorView({
      parent: boxes.plain,
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
      ],
    })
    const view = sessionOf(tab).view
    while (!view.getState().view) await painted()
    await painted()
    return boxes.ours.querySelector('.cm-content')?.textContent?.length ?? 0
  },
  async show(kind) {
    boxes.ours.hidden = kind !== 'ours'
    boxes.plain.hidden = kind !== 'plain'
    const view = kind === 'ours' ? sessionOf(tab).view.getState().view : plain
    if (!view) throw new Error('the editor is not there')
    const anchor = view.state.doc.lineAt(view.state.doc.length >> 1).to
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    view.focus()
    for (let frame = 0; frame < 5; frame++) await painted()
  },
  async taken() {
    while (waiting > 0) await painted()
    const taken = times
    times = []
    return taken
  },
}

window.addEventListener(
  'keydown',
  (event) => {
    waiting++
    void painted().then(() => {
      times.push(performance.now() - event.timeStamp)
      waiting--
    })
  },
  { capture: true },
)

/** Resolves after the next frame has been painted. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => resolve(), { once: true })
      channel.port1.start()
      channel.port2.postMessage(null)
    })
  })
}

function addBox(): HTMLElement {
  const box = document.createElement('div')
  box.className = 'bare'
  box.hidden = true
  place.append(box)
  return box
}
