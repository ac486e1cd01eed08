import type { CdpSession, Protocol } from './cdp'

/** A page that wants a new window, as Electron's window open handler is told. */
export interface WindowWish {
  url: string
  frameName: string
  features: string
  disposition: Electron.HandlerDetails['disposition']
}

/** Who decides about navigation. */
export interface NavigationJudge {
  /** The page itself (a link, a script) wants to go to `url`. True: it may not. */
  refuses(url: string): boolean
  /** A server sends the page on to `url`, whoever asked for the navigation. True: it may not go there. */
  refusesRedirect(url: string): boolean
  /** The page wants a new window. It never gets one; this only tells. */
  wishes(wish: WindowWish): void
  /** Called before a document of the main frame is asked for; the page waits until this resolves. */
  prepare(url: string): Promise<void>
  /** The page is no longer there: what fails now does not matter. */
  hasGone(): boolean
}

/** What Chromium names for a window without features of its own. */
const defaultFeatures = new Set([
  'menubar',
  'toolbar',
  'status',
  'scrollbars',
  'resizable',
  'noopener',
  'noreferrer',
])

/**
 * Stands at the door of a page's main frame. Chromium tells when a page itself asks for a navigation
 * (`Page.frameRequestedNavigation`) and holds every document's request (`Fetch`, file: included), so a refused
 * navigation leaves the page as it is. Navigations by the app, or by a test's own DevTools connection, are not asked
 * about, as in Electron. A page that goes to about:blank makes no request and cannot be held.
 */
export async function guardNavigation(
  session: CdpSession,
  mainFrame: string,
  judge: NavigationJudge,
): Promise<void> {
  const refused = new Set<string>()

  session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
    switch (disposition) {
      case 'currentTab':
        if (frameId !== mainFrame) return
        refused.delete(withoutHash(url))
        if (judge.refuses(url)) refused.add(withoutHash(url))
        return
      case 'newTab':
        judge.wishes({ url, frameName: '', features: '', disposition: 'background-tab' })
        return
      case 'newWindow':
        judge.wishes({ url, frameName: '', features: '', disposition: 'new-window' })
        return
      case 'download':
        return
    }
  })

  session.on('Page.windowOpen', ({ url, windowName, windowFeatures }) => {
    const features = windowFeatures.filter((feature) => !defaultFeatures.has(feature))
    judge.wishes({
      url,
      frameName: windowName === '_blank' ? '' : windowName,
      features: features.join(','),
      disposition: features.length > 0 ? 'new-window' : 'foreground-tab',
    })
  })

  const decide = async (paused: Protocol.Fetch.requestPausedPayload): Promise<void> => {
    const { requestId, frameId, request, redirectedRequestId } = paused
    if (frameId === mainFrame) {
      // The page's wish came first: Chromium carries both on one channel, in order.
      const isRedirect = redirectedRequestId !== undefined
      if (isRedirect ? judge.refusesRedirect(request.url) : refused.delete(request.url)) {
        await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
        return
      }
      await judge.prepare(request.url)
    }
    await session.send('Fetch.continueRequest', { requestId })
  }
  session.on('Fetch.requestPaused', (paused) => {
    decide(paused).catch((error: unknown) => {
      if (!judge.hasGone()) console.error('stand-in: a navigation could not be decided:', error)
    })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
}

function withoutHash(url: string): string {
  const at = url.indexOf('#')
  return at < 0 ? url : url.slice(0, at)
}
