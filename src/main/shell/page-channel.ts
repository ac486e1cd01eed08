import type { WebContents } from 'electron/main'
import { ipcMain } from 'electron/main'
import { type Disposable, Emitter, disposable } from '../../shared/lifetime'
import { openTopic, pieceTopic } from '../../shared/rpc/page-port'
import { PieceJoiner, splitMessage } from '../../shared/rpc/message-pieces'
import type { Channel } from '../../shared/rpc/rpc'

/**
 * Turns what a window's page sends through its preload into channels: a new one each time that a page opens the way
 * (a start, a reload, a reconnect), when the one before is closed. Only the window's own main frame is heard.
 */
export function acceptPages(contents: WebContents, admit: (channel: Channel) => void): Disposable {
  let current: PortChannel | null = null
  const { id } = contents
  const isOurs = (event: Electron.IpcMainEvent) =>
    event.sender.id === id && event.senderFrame?.parent === null
  const opened = (event: Electron.IpcMainEvent) => {
    if (!isOurs(event)) return
    current?.end()
    current = new PortChannel(contents)
    admit(current)
  }
  const heard = (event: Electron.IpcMainEvent, piece: unknown) => {
    if (isOurs(event) && typeof piece === 'string') current?.receive(piece)
  }
  const gone = () => {
    current?.end()
    current = null
  }
  ipcMain.on(openTopic, opened)
  ipcMain.on(pieceTopic, heard)
  contents.on('render-process-gone', gone)
  contents.on('destroyed', gone)
  return disposable(() => {
    ipcMain.off(openTopic, opened)
    ipcMain.off(pieceTopic, heard)
    gone()
  })
}

class PortChannel implements Channel {
  readonly #contents: WebContents
  readonly #messages = new Emitter<string>()
  readonly #closes = new Emitter<void>()
  readonly #joiner = new PieceJoiner()
  #open = true
  readonly onMessage = this.#messages.on
  readonly onClose = this.#closes.on

  constructor(contents: WebContents) {
    this.#contents = contents
  }

  send(frame: string): void {
    if (!this.#open || this.#contents.isDestroyed()) return
    for (const piece of splitMessage(frame)) this.#contents.send(pieceTopic, piece)
  }

  receive(piece: string): void {
    const joined = this.#joiner.add(piece)
    if (joined.kind === 'message') this.#messages.emit(joined.message)
    else if (joined.kind === 'wrong') this.close()
  }

  /** The host ends it: the page is told and may open a new one. */
  close(): void {
    if (!this.#open) return
    if (!this.#contents.isDestroyed()) this.#contents.send(pieceTopic, null)
    this.end()
  }

  /** The page is gone or has opened another one: there is nobody to tell. */
  end(): void {
    if (!this.#open) return
    this.#open = false
    this.#closes.emit()
    this.#messages.dispose()
    this.#closes.dispose()
  }
}
