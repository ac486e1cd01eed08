/// <reference path="./node-pty.d.ts" />
import type { IPty } from 'node-pty'
import { readNow } from './pty-reader'

/**
 * How long there must be silence before an ended program's output counts as read while something still holds its
 * terminal.
 */
const silenceMs = 250
/** How long to wait for that at most. */
const limitMs = 5000
const pollMs = 10

/** What is used of the stream that reads a pty's master. */
type MasterStream = NonNullable<IPty['_socket']>

/**
 * Makes the stream of a pty's master deliver everything before it is destroyed. Otherwise output is lost in two ways:
 * libuv reports the end as soon as it has read one part after the program closed its side, even if there is more; and
 * node-pty destroys the stream 200 ms after the program's end, whatever it has not read by then. `hear` gets the bytes
 * that the stream itself no longer delivers.
 */
export function keepLastOutput(
  stream: MasterStream,
  descriptor: number,
  hear: (bytes: Buffer) => void,
): void {
  const destroy = stream.destroy.bind(stream)
  let ending = false

  /** Delivers what is there now; tells whether more can come. */
  function handOn(): 'some' | 'none' | 'over' {
    // What the stream has read and holds back comes first; reading it delivers it.
    while (stream.read() !== null);
    let got: 'some' | 'none' = 'none'
    for (;;) {
      const bytes = readNow(descriptor)
      if (!bytes) return 'over'
      if (bytes.length === 0) return got
      got = 'some'
      hear(bytes)
    }
  }

  stream.destroy = (error?: Error) => {
    if (ending || stream.destroyed) return stream
    ending = true
    const begin = Date.now()
    let heard = begin
    const poll = (): void => {
      if (stream.destroyed) return
      const got = handOn()
      const now = Date.now()
      if (got === 'some') heard = now
      if (got === 'over' || now - heard > silenceMs || now - begin > limitMs) destroy(error)
      else setTimeout(poll, pollMs)
    }
    poll()
    return stream
  }
}
