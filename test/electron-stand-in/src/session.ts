import type { CdpConnection, Protocol } from './cdp'
import { lack, strict } from './strict'

type RequestHandler = Exclude<Parameters<Electron.Session['setPermissionRequestHandler']>[0], null>
type CheckHandler = Exclude<Parameters<Electron.Session['setPermissionCheckHandler']>[0], null>

/** A permission by Electron's name. */
export type Permission = Parameters<RequestHandler>[1]

/** What a handler has answered. */
export interface PermissionAnswer {
  permission: Permission
  handler: 'request' | 'check'
  granted: boolean
}

/** Electron's names, and Chromium's for the same thing. */
const descriptors: [Permission, Protocol.Browser.PermissionDescriptor][] = [
  ['clipboard-read', { name: 'clipboard-read' }],
  ['clipboard-sanitized-write', { name: 'clipboard-write' }],
  ['geolocation', { name: 'geolocation' }],
  ['idle-detection', { name: 'idle-detection' }],
  ['local-fonts', { name: 'local-fonts' }],
  ['media', { name: 'camera' }],
  ['media', { name: 'microphone' }],
  ['midi', { name: 'midi' }],
  ['midiSysex', { name: 'midi', sysex: true }],
  ['notifications', { name: 'notifications' }],
  ['persistent-storage', { name: 'persistent-storage' }],
  ['window-management', { name: 'window-management' }],
]

/** Every answer of the permission handlers so far, for tests. */
export const permissionAnswers: PermissionAnswer[] = []

let requestHandler: RequestHandler | null = null
let checkHandler: CheckHandler | null = null

const unsupportedRequests = strict('session.webRequest', {
  onHeadersReceived: (): void => {
    // Electron's manual: no response headers for file:, which is all that the stand-in's pages come from.
  },
}) satisfies Pick<Electron.WebRequest, 'onHeadersReceived'>

/** The one session that all windows share. */
export const defaultSession = strict('session', {
  setPermissionRequestHandler(handler: RequestHandler | null): void {
    requestHandler = handler
  },
  setPermissionCheckHandler(handler: CheckHandler | null): void {
    checkHandler = handler
  },
  webRequest: unsupportedRequests as unknown as Electron.WebRequest,
  clearCache: async (): Promise<void> => {},
  isPersistent: (): boolean => true,
}) satisfies Pick<
  Electron.Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'webRequest' | 'clearCache' | 'isPersistent'
>

/** `session`, the module. */
export const session = strict('session', {
  defaultSession: defaultSession as unknown as Electron.Session,
  fromPartition: (): never => {
    throw lack('session.fromPartition')
  },
}) satisfies Pick<typeof Electron.Session, 'defaultSession' | 'fromPartition'>

/**
 * What the app's handlers answer about one permission. Electron's default without a handler is yes. Both have to
 * say yes, because a page first asks for (request) and then uses (check) what it wants.
 */
export async function askPermission(
  contents: Electron.WebContents,
  permission: Permission,
  url: string,
): Promise<boolean> {
  const { origin, protocol } = new URL(url)
  const requestingOrigin = origin === 'null' ? `${protocol}//` : `${origin}/`
  const record = (handler: PermissionAnswer['handler'], granted: boolean): boolean => {
    permissionAnswers.push({ permission, handler, granted })
    return granted
  }
  const check = checkHandler
  if (check) {
    const details = { isMainFrame: true, requestingUrl: url, embeddingOrigin: requestingOrigin }
    if (!record('check', check(contents, permission, requestingOrigin, details))) return false
  }
  const request = requestHandler
  if (!request) return true
  return new Promise((resolve) => {
    request(contents, permission, (granted) => resolve(record('request', granted)), {
      isMainFrame: true,
      requestingUrl: url,
    })
  })
}

/**
 * Asks the handlers about every permission that Chromium can be told about, and tells it. DevTools has no event
 * for a page's request, so this happens before a document is loaded and not when it asks; what the page then
 * sees (navigator.permissions, the clipboard, notifications) is the handlers' answer.
 */
export async function applyPermissions(
  connection: CdpConnection,
  contents: Electron.WebContents,
  url: string,
): Promise<void> {
  await Promise.all(
    descriptors.map(async ([name, permission]) => {
      const setting = (await askPermission(contents, name, url)) ? 'granted' : 'denied'
      await connection.browser.send('Browser.setPermission', { permission, setting })
    }),
  )
}
