import type { Done } from '../../../shared/result'

/** A terminal's program has drawn its prompt when it has put out nothing for so many milliseconds. */
const quiet = 150
/** A program that never says that its question is closed gets the note after so many milliseconds. */
const patience = 5000

/** The question that a note belongs to. */
interface Question {
  connection: string
  call: string
}

interface Note {
  question: Question
  terminal: string
  text: string
  timer: NodeJS.Timeout
}

/**
 * Decides when a note that a person gave with a rejection is typed. What is typed while the agent's own question is
 * still open would answer that question, so a note waits until the agent has put it away, and then until the prompt
 * has been drawn.
 */
export class NoteTiming {
  readonly #type: (terminal: string, text: string, quiet: number) => Promise<Done>
  readonly #warn: (sentence: string) => void
  readonly #waiting = new Set<Note>()

  constructor(
    type: (terminal: string, text: string, quiet: number) => Promise<Done>,
    warn: (sentence: string) => void,
  ) {
    this.#type = type
    this.#warn = warn
  }

  /** Takes a note for the terminal in which the question was asked. */
  add({ connection, call }: Question, terminal: string, text: string): void {
    const timer = setTimeout(() => this.#deliver(note), patience)
    timer.unref()
    const note: Note = { question: { connection, call }, terminal, text, timer }
    this.#waiting.add(note)
  }

  /** The agent has put its question away. */
  questionClosed({ connection, call }: Question): void {
    for (const note of this.#waiting) {
      if (note.question.connection === connection && note.question.call === call) this.#deliver(note)
    }
  }

  /** Whoever asked is gone, and with it the prompt: what its terminal runs now is somebody else. */
  connectionClosed(connection: string): void {
    for (const note of this.#waiting) {
      if (note.question.connection !== connection) continue
      this.#forget(note)
      this.#warn(`Claude has ended, so your note wasn’t sent: “${note.text}”`)
    }
  }

  #deliver(note: Note): void {
    this.#forget(note)
    void this.#type(note.terminal, note.text, quiet).then((typed) => {
      if (!typed.ok) this.#warn(`${typed.failure.message} Your note: “${note.text}”`)
    })
  }

  #forget(note: Note): void {
    clearTimeout(note.timer)
    this.#waiting.delete(note)
  }
}
