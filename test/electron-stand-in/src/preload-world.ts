import { pack, unpack } from './codec'
import { DroppedFiles } from './dropped-files'
import {
  frame,
  receiveFunction,
  sendBinding,
  type FromPreload,
  type ToPreload,
  type WorldSettings,
} from './wire'
import { openBridge } from './world-bridge'

type Listener = (event: unknown, ...args: unknown[]) => void
type Preload = (
  require: (name: string) => unknown,
  process: object,
  global: object,
  setImmediate: (callback: () => void) => unknown,
  clearImmediate: (id: number) => void,
  exports: object,
  module: object,
) => void

interface Waiting {
  channel: string
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

/** Runs in the preload's world: gives the preload script what a sandboxed one has. */
export function start(settings: WorldSettings, preload: Preload): void {
  const world = globalThis as unknown as Record<string, unknown>
  const post = world[sendBinding] as (payload: string) => void
  delete world[sendBinding]
  const say = (head: FromPreload, args: unknown[]): void => post(frame(head, pack(args)))

  watchTitle((title) => say({ op: 'titled', title }, []))
  const ipcRenderer = makeIpcRenderer(say)
  const dropped = new DroppedFiles((count) => say({ op: 'dropped', count }, []))
  world[receiveFunction] = (head: ToPreload, packed: unknown) => {
    if (head.op === 'places') dropped.place(unpack(packed) as string[])
    else ipcRenderer.receive(head, packed)
  }
  const electron = strictly('electron', {
    ipcRenderer: ipcRenderer.offered,
    contextBridge: strictly('contextBridge', {
      exposeInMainWorld: openBridge(settings.key, 'preload').expose,
    } satisfies Pick<Electron.ContextBridge, 'exposeInMainWorld'>),
    webUtils: strictly('webUtils', {
      getPathForFile: (file) => dropped.pathOf(file),
    } satisfies Pick<Electron.WebUtils, 'getPathForFile'>),
  })
  const require = (name: string): unknown => {
    if (/^electron(\/(renderer|common))?$/.test(name)) return electron
    throw new Error(
      `module not found: ${name} (stand-in: a preload here may require electron and nothing else)`,
    )
  }
  const module = { exports: {} }
  try {
    preload(
      require,
      settings.process,
      globalThis,
      (callback) => setTimeout(callback, 0),
      (id) => clearTimeout(id),
      module.exports,
      module,
    )
  } catch (error) {
    const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    say({ op: 'preload-error', name, message, stack }, [])
  }
}

/** DevTools does not tell when a page's title changes. */
function watchTitle(tell: (title: string) => void): void {
  let last = ''
  const look = (): void => {
    if (document.title !== last) tell((last = document.title))
  }
  document.addEventListener('DOMContentLoaded', () => {
    look()
    new MutationObserver(look).observe(document.head, { childList: true, subtree: true, characterData: true })
  })
}

function makeIpcRenderer(say: (head: FromPreload, args: unknown[]) => void): {
  offered: object
  receive(head: Exclude<ToPreload, { op: 'places' }>, packed: unknown): void
} {
  const listeners = new Map<string, { listener: Listener; once: boolean }[]>()
  const waiting = new Map<number, Waiting>()
  let nextId = 1

  const add = (channel: string, listener: Listener, once: boolean): unknown => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, once }])
    return offered
  }
  const remove = (channel: string, listener: Listener): unknown => {
    const known = listeners.get(channel) ?? []
    const at = known.findLastIndex((entry) => entry.listener === listener)
    if (at >= 0) listeners.set(channel, known.toSpliced(at, 1))
    return offered
  }
  const offered: object = strictly('ipcRenderer', {
    on: (channel: string, listener: Listener) => add(channel, listener, false),
    addListener: (channel: string, listener: Listener) => add(channel, listener, false),
    once: (channel: string, listener: Listener) => add(channel, listener, true),
    off: remove,
    removeListener: remove,
    removeAllListeners(channel?: string) {
      if (channel === undefined) listeners.clear()
      else listeners.delete(channel)
      return offered
    },
    listenerCount: (channel: string) => listeners.get(channel)?.length ?? 0,
    send: (channel: string, ...args: unknown[]) => say({ op: 'send', channel }, args),
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        say({ op: 'invoke', id, channel }, args)
        waiting.set(id, { channel, resolve, reject })
      }),
  } satisfies { [Name in keyof Electron.IpcRenderer]?: unknown })

  return {
    offered,
    receive(head, packed) {
      switch (head.op) {
        case 'event': {
          const args = unpack(packed)
          for (const { listener, once } of listeners.get(head.channel) ?? []) {
            if (once) remove(head.channel, listener)
            try {
              listener({ sender: offered, ports: [] }, ...args)
            } catch (error) {
              reportError(error)
            }
          }
          return
        }
        case 'reply':
          waiting.get(head.id)?.resolve(unpack(packed)[0])
          waiting.delete(head.id)
          return
        case 'failure': {
          const { channel, reject } = waiting.get(head.id) ?? {}
          reject?.(new Error(`Error invoking remote method '${channel}': ${head.message}`))
          waiting.delete(head.id)
        }
      }
    },
  }
}

/** An object on which a missing name throws. (strict.ts is for Node.) */
function strictly<T extends object>(subject: string, offered: T): T {
  return new Proxy(offered, {
    get(target, key, receiver) {
      if (typeof key === 'symbol' || key in target || key === 'then')
        return Reflect.get(target, key, receiver)
      throw new Error(`stand-in: ${subject}.${key} is not implemented (see test/electron-stand-in/README.md)`)
    },
  })
}
