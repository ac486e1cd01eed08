import type { Session, WebContents } from 'electron/main'

/** What the page may ask of the browser it runs in: the clipboard, and nothing else. */
const allowedPermissions: ReadonlySet<string> = new Set(['clipboard-read', 'clipboard-sanitized-write'])

/** Denies every permission but the clipboard's, asked for or only looked up. */
export function confineSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(allowedPermissions.has(permission)),
  )
  session.setPermissionCheckHandler((_contents, permission) => allowedPermissions.has(permission))
}

/**
 * Keeps contents on the page that the shell has loaded: no navigation, no redirect, no new window, no webview. A web
 * address that the page wants to open goes to `openExternal`; a reload of the same page is fine.
 */
export function confineContents(contents: WebContents, openExternal: (url: string) => void): void {
  const stay = (event: Electron.Event, url: string) => {
    if (url !== contents.getURL()) event.preventDefault()
  }
  contents.on('will-navigate', (event) => stay(event, event.url))
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (isWebAddress(url)) openExternal(url)
    return { action: 'deny' }
  })
}

/** Whether an address may be given to the person's browser: http and https, without a name and password in it. */
export function isWebAddress(url: string): boolean {
  try {
    const { protocol, username, password } = new URL(url)
    return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  } catch {
    return false
  }
}
