/** An event on its way to a client. Ids count up from 1 in the order of sending. */
export interface OutboxEvent {
  readonly id: number
  readonly text: string
}

/**
 * What of an event counts. `every`: each must arrive, in order. `newest`: only the newest of its name is worth
 * anything, and nobody needs it again once it was sent.
 */
export type EventWorth = 'every' | 'newest'

interface Entry extends OutboxEvent {
  readonly name: string
  readonly worth: EventWorth
  /** Milliseconds since the epoch when it was written to a stream; null until then. */
  sentAt: number | null
}

/** More than so many events, or characters in them, are not kept for one client; the oldest go first. */
const mostEvents = 256
const mostCharacters = 64 * 1024 * 1024

/**
 * The events of one session that may still have to be sent, or sent again: a stream can break after an event was
 * written to it and before the client has read it. A client that reconnects names the last event it got (the header
 * Last-Event-ID), and everything after it comes again.
 */
export class EventOutbox {
  readonly #entries: Entry[] = []
  #nextId = 1
  #characters = 0

  /** How many events are kept, sent or not. */
  get size(): number {
    return this.#entries.length
  }

  /** Puts an event in line; a `newest` one takes the place of an older one of its name that was not sent yet. */
  add(name: string, text: string, worth: EventWorth): void {
    if (worth === 'newest') this.#drop((entry) => entry.name === name && entry.sentAt === null)
    this.#entries.push({ id: this.#nextId++, name, text, worth, sentAt: null })
    this.#characters += text.length
    while (this.#entries.length > mostEvents || this.#characters > mostCharacters) {
      const oldest = this.#entries.findIndex((entry) => entry.sentAt !== null)
      this.#removeAt(Math.max(oldest, 0))
    }
  }

  /** The next event to send, which then counts as sent at `now`. */
  next(now: number): OutboxEvent | undefined {
    const entry = this.#entries.find((candidate) => candidate.sentAt === null)
    if (entry === undefined) return undefined
    entry.sentAt = now
    if (entry.worth === 'newest') this.#removeAt(this.#entries.indexOf(entry))
    return entry
  }

  /**
   * A new stream begins. With the id of the last event that the client got, what came after it counts as not sent;
   * without one, what was sent counts as arrived.
   */
  resume(lastSeen: number | undefined): void {
    if (lastSeen === undefined) return this.#drop((entry) => entry.sentAt !== null)
    this.#drop((entry) => entry.id <= lastSeen)
    for (const entry of this.#entries) entry.sentAt = null
  }

  /** What was sent before this time, on a stream that stands, has arrived: it is forgotten. */
  forget(before: number): void {
    this.#drop((entry) => entry.sentAt !== null && entry.sentAt < before)
  }

  #drop(wanted: (entry: Entry) => boolean): void {
    for (let index = this.#entries.length - 1; index >= 0; index -= 1) {
      const entry = this.#entries[index]
      if (entry !== undefined && wanted(entry)) this.#removeAt(index)
    }
  }

  #removeAt(index: number): void {
    const [removed] = this.#entries.splice(index, 1)
    if (removed !== undefined) this.#characters -= removed.text.length
  }
}
