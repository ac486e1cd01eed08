import type { WorldSettings } from './wire'
import { openBridge } from './world-bridge'

/** Runs in the page's own world before the page's scripts. The page can see nothing of it. */
export function start(settings: WorldSettings): void {
  openBridge(settings.key, 'page')
  // A window that is denied is null for the page. Chromium announces the wish (see navigation.ts), and what it
  // opens is closed before its first byte; no page ever gets a window here.
  const open = window.open.bind(window)
  window.open = (url, name, features) => {
    // A window with an opener shares its process, which would stand still while the new one is held.
    open(url, name, features ? `${features},noopener` : 'noopener')
    return null
  }
}
