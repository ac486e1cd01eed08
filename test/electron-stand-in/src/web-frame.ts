import { strict } from './strict'

/** What a frame says about itself through its contents. */
export interface FrameSource {
  getURL(): string
  isDestroyed(): boolean
  send(channel: string, ...args: unknown[]): void
  executeJavaScript(code: string, userGesture?: boolean): Promise<unknown>
}

type Offered =
  | 'url'
  | 'origin'
  | 'name'
  | 'parent'
  | 'top'
  | 'processId'
  | 'routingId'
  | 'detached'
  | 'isDestroyed'
  | 'send'
  | 'executeJavaScript'

/** The main frame of a page. The stand-in has one object for all documents that the frame shows. */
export function makeMainFrame(source: FrameSource): Electron.WebFrameMain {
  const frame = strict('webFrameMain', {
    get url() {
      return source.getURL()
    },
    get origin() {
      const { origin, protocol } = new URL(source.getURL())
      return origin === 'null' ? `${protocol}//` : origin
    },
    name: '',
    parent: null,
    get top(): Electron.WebFrameMain {
      return frame as unknown as Electron.WebFrameMain
    },
    processId: 1,
    routingId: 1,
    detached: false,
    isDestroyed: () => source.isDestroyed(),
    send: (channel: string, ...args: unknown[]) => source.send(channel, ...args),
    executeJavaScript: (code: string, userGesture?: boolean) => source.executeJavaScript(code, userGesture),
  }) satisfies Pick<Electron.WebFrameMain, Offered>
  return frame as unknown as Electron.WebFrameMain
}
