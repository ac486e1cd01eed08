import { Emitter } from '../../src/shared/lifetime'
import { elsewhere, welcome } from '../../src/shared/rpc/hello'
import { type PagePort, pagePortName } from '../../src/shared/rpc/page-port'
import { PieceJoiner, splitMessage } from '../../src/shared/rpc/message-pieces'
import type { Channel } from '../../src/shared/rpc/rpc'
import { FakeHost } from './fake-host'

/**
 * Stands where the preload's port would: behind it is a host made for looking at the page, in the page itself. Test
 * only. `?scene=` names what the host begins with; `window.host` is at the test's disposal.
 */
declare global {
  interface Window {
    host: FakeHost
    link: { cut(): void; restore(): void; takeAway(): void }
  }
}

const host = new FakeHost(new URLSearchParams(location.search).get('scene') ?? 'folder')
let current: { hear: (piece: string | null) => void; close: () => void } | null = null
let isCut = false

const port: PagePort & { [key: string]: unknown } = {
  pathOf: () => '',
  open(hear) {
    if (isCut) {
      queueMicrotask(() => hear(null))
      return
    }
    const joiner = new PieceJoiner()
    const messages = new Emitter<string>()
    const closes = new Emitter<void>()
    let greeted = false
    const post = (frame: string) => {
      for (const piece of splitMessage(frame)) queueMicrotask(() => hear(piece))
    }
    const channel: Channel = {
      send: post,
      onMessage: messages.on,
      onClose: closes.on,
      close: () => closes.emit(),
    }
    receive = (piece) => {
      const joined = joiner.add(piece)
      if (joined.kind !== 'message') return
      if (greeted) messages.emit(joined.message)
      else {
        greeted = true
        const { takeOver } = JSON.parse(joined.message) as { takeOver: boolean }
        if (host.isTaken && !takeOver) return post(elsewhere)
        host.isTaken = false
        post(welcome)
        host.serve(channel)
      }
    }
    current = { hear, close: () => closes.emit() }
  },
  send: (piece: string) => receive(piece),
}
let receive: (piece: string) => void = () => undefined

;(globalThis as unknown as Record<string, unknown>)[pagePortName] = port
window.host = host
window.link = {
  cut() {
    isCut = true
    current?.close()
    current?.hear(null)
  },
  restore() {
    isCut = false
  },
  takeAway() {
    host.isTaken = true
    for (const piece of splitMessage(elsewhere)) current?.hear(piece)
    current?.close()
  },
}
