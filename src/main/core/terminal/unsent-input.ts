const pasteBegin = '\x1b[200~'
const pasteEnd = '\x1b[201~'

/**
 * Whether a program's prompt contains text that was typed and not submitted, as far as the keys tell: text recalled
 * from the program's own history is not known. If in doubt, the answer is yes.
 */
export class UnsentInput {
  #length = 0

  get isThere(): boolean {
    return this.#length > 0
  }

  /** Takes what goes to the program: keys one by one, pasted text, and answers of the terminal. */
  hear(data: string): void {
    if (data.startsWith(pasteBegin)) {
      const end = data.indexOf(pasteEnd)
      const text = data.slice(pasteBegin.length, end < 0 ? undefined : end)
      this.#length += text.length
      if (end >= 0) this.hear(data.slice(end + pasteEnd.length))
      return
    }
    // Arrows, answers, and Escape itself don't add text.
    if (data.startsWith('\x1b')) return
    for (const key of data) {
      if (key === '\r' || key === '\x03' || key === '\x15') this.#length = 0
      else if (key === '\x7f' || key === '\b') this.#length = Math.max(0, this.#length - 1)
      else if (key >= ' ' || key === '\n') this.#length += 1
    }
  }

  /** Another program starts. */
  clear(): void {
    this.#length = 0
  }
}
