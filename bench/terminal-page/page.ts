import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { FrameLimiter } from '../../src/renderer/features/terminal/frame-limiter'
import { terminalFont } from '../../src/renderer/features/terminal/terminal-theme'
import { TerminalView } from '../../src/renderer/features/terminal/terminal-view'
import { applyTheme } from '../../src/renderer/ui/theme/theme'
import '../../src/renderer/ui/theme/tokens.css'
import type { Calls, Topics } from '../../src/shared/contract/contract'
import { Emitter } from '../../src/shared/lifetime'
import { type Channel, createRpcClient } from '../../src/shared/rpc/rpc'

/** Something that shows a program's output and takes what is typed: ours, or as little as possible around xterm. */
interface Shown {
  type(text: string): void
  onParsed(hear: (text: string) => void): () => void
  /** When what is parsed by now has been painted. */
  painted(): Promise<number>
}

/** When the terminal's next picture has been painted: xterm tells it in the frame in which it draws. */
function paintedNext(terminal: Terminal): Promise<number> {
  return new Promise((resolve) => {
    const listening = terminal.onRender(() => {
      listening.dispose()
      setTimeout(() => resolve(performance.now()))
    })
  })
}

const place = document.getElementById('place') as HTMLDivElement
const socketUrl = (path: string) => `ws://${location.host}/${path}`

function channelTo(url: string): Promise<Channel> {
  const socket = new WebSocket(url)
  const messages = new Emitter<string>()
  const closes = new Emitter<void>()
  socket.onmessage = (event) => messages.emit(event.data as string)
  socket.onclose = () => closes.emit()
  const channel: Channel = {
    send: (frame) => socket.send(frame),
    onMessage: messages.on,
    onClose: closes.on,
    close: () => socket.close(),
  }
  return new Promise((resolve) => {
    socket.onopen = () => resolve(channel)
  })
}

/** The app's own view over its own contract. */
async function showOurs(script: string): Promise<Shown> {
  applyTheme('light')
  const client = createRpcClient<Calls, Topics>()
  client.attach(await channelTo(socketUrl('ours')))
  const created = await client.call('terminals.create', { profile: script, columns: 120, rows: 40 })
  if (!created.ok) throw new Error(created.failure.message)
  const view = new TerminalView({
    host: client,
    id: created.value.id,
    fontSize: 13,
    screenReader: false,
    openFile: () => undefined,
    openAddress: () => undefined,
    find: () => undefined,
  })
  view.show(place)
  return {
    type: (text) => view.terminal.input(text),
    onParsed(hear) {
      const listening = view.onParsed(hear)
      return () => listening.dispose()
    },
    painted: () => paintedNext(view.terminal),
  }
}

/** How often a bare terminal draws: in each frame, or as ours does, where what is compared is how much it takes in. */
type Drawing = 'each frame' | 'as ours'

interface Bare {
  terminal: Terminal
  /** So much has been parsed. */
  parsed(length: number): void
}

function bareTerminal(drawing: Drawing): Bare {
  const terminal = new Terminal({
    scrollback: 10_000,
    fontFamily: terminalFont(),
    fontSize: 13,
    allowProposedApi: true,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(place)
  fit.fit()
  if (drawing === 'each frame') return { terminal, parsed: () => undefined }
  const limiter = new FrameLimiter()
  limiter.limit(terminal)
  return { terminal, parsed: (length) => limiter.parsed(length) }
}

/** xterm on a socket with flow control, and nothing else. */
async function showBare(script: string, drawing: Drawing): Promise<Shown> {
  const bare = bareTerminal(drawing)
  const { terminal } = bare
  const listeners = new Set<(text: string) => void>()
  const channel = await channelTo(
    socketUrl(`bare?script=${encodeURIComponent(script)}&columns=${terminal.cols}&rows=${terminal.rows}`),
  )
  let parsed = 0
  channel.onMessage((text) =>
    terminal.write(text, () => {
      parsed += text.length
      bare.parsed(text.length)
      if (parsed >= 64 << 10) {
        channel.send(`a${parsed}`)
        parsed = 0
      }
      for (const hear of listeners) hear(text)
    }),
  )
  terminal.onData((data) => channel.send(`i${data}`))
  return {
    type: (text) => terminal.input(text),
    onParsed(hear) {
      listeners.add(hear)
      return () => listeners.delete(hear)
    },
    painted: () => paintedNext(terminal),
  }
}

/** Characters that were parsed, and the milliseconds that it took. */
interface Flow {
  ms: number
  length: number
}

/** Begins with the first piece: until then programs and pages start. */
class FlowClock {
  #begin: number | null = null
  #length = 0

  parsed(length: number): void {
    if (this.#begin === null) this.#begin = performance.now()
    else this.#length += length
  }

  read(): Flow {
    return { ms: performance.now() - (this.#begin ?? 0), length: this.#length }
  }
}

let shown: Shown
let terminalAlone: Bare | null = null

/** Resolves with the time when a mark has been parsed. */
function parsedMark(mark: string): Promise<number> {
  let tail = ''
  return new Promise((resolve) => {
    const stop = shown.onParsed((text) => {
      const all = tail + text
      tail = all.slice(-mark.length)
      if (!all.includes(mark)) return
      stop()
      resolve(performance.now())
    })
  })
}

/** Keys that the flood has not. One at a time: the system puts a piece of the flood between echoes now and then. */
const keys = '<>[]{}#%&!'

const bench = {
  async open(kind: 'ours' | 'bare', script: string, drawing: Drawing): Promise<void> {
    shown = kind === 'ours' ? await showOurs(script) : await showBare(script, drawing)
  },

  /** Types, and gives the milliseconds until a mark has been parsed. */
  async until(typed: string, mark: string): Promise<number> {
    const begin = performance.now()
    const done = parsedMark(mark)
    if (typed) shown.type(typed)
    return (await done) - begin
  },

  /** Types, and gives what is parsed up to a mark after the first piece, and the milliseconds for it. */
  async flow(typed: string, mark: string): Promise<Flow> {
    const flow = new FlowClock()
    const stop = shown.onParsed((text) => flow.parsed(text.length))
    const done = parsedMark(mark)
    shown.type(typed)
    await done
    stop()
    return flow.read()
  },

  /** Milliseconds from each key to its painted echo; the pauses between them last at least and at most so many. */
  async echoes(count: number, least: number, most: number): Promise<number[]> {
    const times: number[] = []
    for (let index = 0; index < count; index++) {
      const mark = keys[index % keys.length] as string
      const begin = performance.now()
      const done = parsedMark(mark)
      shown.type(mark)
      await done
      times.push((await shown.painted()) - begin)
      const pause = least + ((index * 37) % (most - least))
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    return times
  },

  /** Count and checksum of all that is parsed between two marks: before the first a program may still be starting. */
  async checksum(typed: string, begin: string, mark: string): Promise<{ length: number; sum: number }> {
    let length = 0
    let sum = 0
    let state: 'before' | 'open' | 'over' = 'before'
    const [beginCode, markCode] = [begin.charCodeAt(0), mark.charCodeAt(0)]
    const stop = shown.onParsed((text) => {
      for (let index = 0; state !== 'over' && index < text.length; index++) {
        const code = text.charCodeAt(index)
        if (state === 'before') state = code === beginCode ? 'open' : 'before'
        else if (code === markCode) state = 'over'
        else {
          length++
          sum = (Math.imul(sum, 31) + code) | 0
        }
      }
    })
    const done = parsedMark(mark)
    shown.type(typed)
    await done
    stop()
    return { length, sum }
  },

  /** The limit: a text from memory, parsed and drawn by xterm. */
  async alone(url: string, megabytes: number): Promise<Flow> {
    const text = await (await fetch(url)).text()
    terminalAlone ??= bareTerminal('as ours')
    const { terminal, parsed: tellParsed } = terminalAlone
    const total = megabytes * 1e6
    const flow = new FlowClock()
    await new Promise<void>((resolve) => {
      let given = 0
      let parsed = 0
      const piece = 64 << 10
      const give = () => {
        while (given < total && given - parsed < 512 << 10) {
          const from = given % (text.length - piece)
          const data = text.slice(from, from + piece)
          given += data.length
          terminal.write(data, () => {
            parsed += data.length
            tellParsed(data.length)
            flow.parsed(data.length)
            if (parsed >= total) resolve()
            else give()
          })
        }
      }
      give()
    })
    return flow.read()
  },
}

declare global {
  interface Window {
    bench: typeof bench
  }
}
window.bench = bench
