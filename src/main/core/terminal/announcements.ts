import { Buffer } from 'node:buffer'
import { plainText } from '../../../shared/text/plain-text'
import { dropOldest } from '../../../shared/drop-oldest'

/** What a program told the person with an escape sequence. Either may be empty. */
export interface Announcement {
  title: string
  body: string
}

/** How many characters of an id are kept; of a text in pieces, four times as many. */
const longest = 200
/** How many unfinished kitty announcements are kept. */
const mostBegun = 8

/**
 * Parses the sequences with which programs call for the person: OSC 9 (iTerm2), OSC 777 (urxvt), OSC 99 (kitty). Their
 * text comes from a program: it is cut, and control characters are removed.
 */
export class Announcements {
  readonly #tell: (announcement: Announcement) => void
  readonly #begun = new Map<string, Announcement>()

  constructor(tell: (announcement: Announcement) => void) {
    this.#tell = tell
  }

  /** Takes what follows `ESC ] 9 ;`. A number there is a ConEmu command, such as progress, and is ignored. */
  hear9(data: string): void {
    if (!/^\d+(;|$)/.test(data)) this.#say({ title: '', body: data })
  }

  /** Takes what follows `ESC ] 777 ;`: notify;TITLE;BODY. */
  hear777(data: string): void {
    const [kind, title = '', ...body] = data.split(';')
    if (kind === 'notify') this.#say({ title, body: body.join(';') })
  }

  /**
   * Takes what follows `ESC ] 99 ;`: key=value pairs separated by colons, a semicolon, a text. Pieces with the same id
   * `i` belong together until one without d=0; p says what a piece is, e=1 that it is base64.
   * https://sw.kovidgoyal.net/kitty/desktop-notifications/
   */
  hear99(data: string): void {
    const end = data.indexOf(';')
    const facts = new Map(
      (end < 0 ? data : data.slice(0, end)).split(':').map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), pair.slice(at + 1)] as const
      }),
    )
    const part = facts.get('p') ?? 'title'
    if (part !== 'title' && part !== 'body') return
    const given = end < 0 ? '' : data.slice(end + 1)
    const text = facts.get('e') === '1' ? Buffer.from(given, 'base64').toString('utf8') : given
    const id = (facts.get('i') ?? '').slice(0, longest)
    const before = this.#begun.get(id) ?? { title: '', body: '' }
    const now = { ...before, [part]: (before[part] + text).slice(0, 4 * longest) }
    this.#begun.delete(id)
    if (facts.get('d') !== '0') return this.#say(now)
    this.#begun.set(id, now)
    dropOldest(this.#begun, mostBegun)
  }

  #say({ title, body }: Announcement): void {
    const said = { title: plainText(title), body: plainText(body) }
    if (said.title !== '' || said.body !== '') this.#tell(said)
  }
}
