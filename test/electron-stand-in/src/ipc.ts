import { EventEmitter } from 'node:events'
import { pack, unpack } from './codec'
import { preventable } from './preventable'
import { strictInstances } from './strict'
import type { FromPreload, ToPreload } from './wire'

type InvokeHandler = Parameters<Electron.IpcMain['handle']>[1]

/** Where a message comes from, and the way back. */
export interface IpcSender {
  contents: Electron.WebContents
  frame: Electron.WebFrameMain
  post(head: ToPreload, packed: string): void
}

/** Electron's `ipcMain`, and what stands behind it: a channel is any name, so only methods are checked. */
export class StandInIpc
  extends EventEmitter
  implements Pick<Electron.IpcMain, 'handle' | 'handleOnce' | 'removeHandler'>
{
  readonly #handlers = new Map<string, InvokeHandler>()

  handle(channel: string, listener: InvokeHandler): void {
    if (this.#handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`)
    }
    if (typeof listener !== 'function')
      throw new TypeError(`Expected handler to be a function, but found ${typeof listener}`)
    this.#handlers.set(channel, listener)
  }

  handleOnce(channel: string, listener: InvokeHandler): void {
    this.handle(channel, (event, ...args: unknown[]) => {
      this.removeHandler(channel)
      return listener(event, ...args) as unknown
    })
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel)
  }

  /** The handler for a channel, if there is one. */
  handlerOf(channel: string): InvokeHandler | undefined {
    return this.#handlers.get(channel)
  }
}

/** The one `ipcMain`. */
export const ipcMain: StandInIpc = new StandInIpc()

/** Gives a message of a page to whoever listens: first to the contents' own ipc, then to `ipcMain`. */
export function deliver(
  message: Exclude<FromPreload, { op: 'titled' | 'dropped' }>,
  packed: unknown,
  sender: IpcSender,
  own: StandInIpc,
): void {
  switch (message.op) {
    case 'send': {
      const event = preventable({
        ...origin(sender),
        ports: [],
        reply: (channel: string, ...args: unknown[]) => sender.post({ op: 'event', channel }, pack(args)),
      })
      const args = unpack(packed)
      own.emit(message.channel, event, ...args)
      ipcMain.emit(message.channel, event, ...args)
      return
    }
    case 'invoke':
      void answer(message, unpack(packed), sender, own)
      return
    case 'preload-error': {
      const error = Object.assign(new Error(message.message), { name: message.name, stack: message.stack })
      sender.contents.emit('preload-error', preventable({}), '', error)
    }
  }
}

async function answer(
  { id, channel }: { id: number; channel: string },
  args: unknown[],
  sender: IpcSender,
  own: StandInIpc,
): Promise<void> {
  try {
    const handler = own.handlerOf(channel) ?? ipcMain.handlerOf(channel)
    if (!handler) throw new Error(`No handler registered for '${channel}'`)
    const value: unknown = await handler(preventable(origin(sender)) as Electron.IpcMainInvokeEvent, ...args)
    sender.post({ op: 'reply', id }, pack([value]))
  } catch (error) {
    console.error(`Error occurred in handler for '${channel}':`, error)
    sender.post({ op: 'failure', id, message: String(error) }, '[]')
  }
}

function origin(
  sender: IpcSender,
): Pick<Electron.IpcMainEvent, 'sender' | 'senderFrame' | 'processId' | 'frameId' | 'type'> {
  return { type: 'frame', sender: sender.contents, senderFrame: sender.frame, processId: 1, frameId: 1 }
}

strictInstances('ipcMain', StandInIpc)
