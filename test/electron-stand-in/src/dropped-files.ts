import { droppedName } from './wire'

/**
 * Knows where dropped files lie. A page's script cannot learn that, and DevTools tells it only afterwards: so a drop with
 * files is held, `ask` is called, and when `place` has been told the paths the page gets the same drop again. Files are told
 * apart by name, size and time, for the page's world has objects of its own.
 */
export class DroppedFiles {
  readonly #paths = new Map<string, string>()
  #held: { event: DragEvent; target: EventTarget; files: File[] } | null = null

  constructor(ask: (count: number) => void) {
    globalThis.addEventListener(
      'drop',
      (event) => {
        const files = [...(event.dataTransfer?.files ?? [])]
        // What a script has made lies nowhere.
        if (!event.isTrusted || files.length === 0 || event.target === null) return
        event.preventDefault()
        event.stopImmediatePropagation()
        this.#held = { event, target: event.target, files }
        ;(globalThis as unknown as Record<string, unknown>)[droppedName] = files
        ask(files.length)
      },
      { capture: true },
    )
  }

  /** Where a file lies; empty where nobody dropped it. */
  pathOf(file: File): string {
    return this.#paths.get(keyOf(file)) ?? ''
  }

  place(paths: readonly string[]): void {
    const held = this.#held
    this.#held = null
    if (!held) return
    const dataTransfer = new DataTransfer()
    for (const [at, file] of held.files.entries()) {
      this.#paths.set(keyOf(file), paths[at] ?? '')
      dataTransfer.items.add(file)
    }
    const { clientX, clientY } = held.event
    held.target.dispatchEvent(
      new DragEvent('drop', {
        bubbles: true,
        cancelable: true,
        composed: true,
        clientX,
        clientY,
        dataTransfer,
      }),
    )
  }
}

const keyOf = ({ name, size, lastModified }: File): string => `${size} ${lastModified} ${name}`
