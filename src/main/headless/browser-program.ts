import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startProgram } from '../core/platform/child-process'
import { privateFileMode } from '../core/platform/file-modes'
import { type ProgramPlace, findProgram } from '../core/platform/programs'
import type { Disposable } from '../../shared/lifetime'
import { type Result, fail, succeed } from '../../shared/result'
import { codeLife } from './admission'

/** Names and usual places of browsers of Chromium's family, which know --app. */
const candidates: Partial<Record<NodeJS.Platform, string[]>> & { default: string[] } = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
    'chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
    'chrome',
    'msedge',
  ],
  default: [
    'google-chrome-stable',
    'google-chrome',
    'chromium',
    'chromium-browser',
    'microsoft-edge-stable',
    'microsoft-edge',
    'brave-browser',
  ],
}

/** The browser that can show an app window here, or a sentence why there is none. */
export function findBrowser(place: ProgramPlace): Result<string> {
  const { platform, env } = place
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) {
    return fail('no-display', 'There’s no display.')
  }
  for (const candidate of candidates[platform] ?? candidates.default) {
    const program = findProgram(candidate, place)
    if (program) return succeed(program)
  }
  return fail('no-browser', 'No Chromium-based browser was found.')
}

/** App windows in a browser with a profile of its own, so that cookies and sizes stay apart from the person's. */
export class BrowserWindows implements Disposable {
  readonly #program: string
  readonly #directory: string
  readonly #children = new Set<ChildProcess>()
  readonly #onEnd: () => void

  /** `onEnd` hears that a browser has ended: the person has closed its windows. */
  constructor(program: string, dataDirectory: string, onEnd: () => void) {
    this.#program = program
    this.#directory = dataDirectory
    this.#onEnd = onEnd
    this.#removeLinks()
  }

  /** Opens a window. False where the program cannot be started, or the link not handed over. */
  open(url: string): boolean {
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []
    const link = this.#writeLink(url)
    if (link === null) return false
    const child = startProgram(
      this.#program,
      [
        `--app=${link}`,
        `--user-data-dir=${join(this.#directory, 'browser')}`,
        '--no-first-run',
        '--no-default-browser-check',
        '--window-size=1400,900',
        ...asRoot,
      ],
      { stdio: 'ignore' },
    )
    if (!child) return false
    this.#children.add(child)
    child.once('exit', () => {
      this.#children.delete(child)
      this.#onEnd()
    })
    return true
  }

  dispose(): void {
    for (const child of this.#children) child.kill('SIGTERM')
    this.#children.clear()
    this.#removeLinks()
  }

  /**
   * The words of a command line can be read by every user of the machine, and the link holds a code that lets in: so
   * the browser is given a file that leads there, for its owner's eyes only.
   */
  #writeLink(url: string): string | null {
    const path = join(this.#directory, `link-${randomBytes(8).toString('hex')}.html`)
    // Addresses of ours hold nothing that needs escaping.
    const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${url}"><title>Greenlight</title>\n`
    try {
      writeFileSync(path, page, { mode: privateFileMode, flag: 'wx' })
    } catch {
      return null
    }
    setTimeout(() => rmSync(path, { force: true }), codeLife).unref()
    return pathToFileURL(path).href
  }

  #removeLinks(): void {
    for (const name of readdirSync(this.#directory)) {
      if (/^link-[0-9a-f]{16}\.html$/.test(name)) rmSync(join(this.#directory, name), { force: true })
    }
  }
}
