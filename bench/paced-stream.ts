import type { Page } from '@playwright/test'
import type { SdkStreamPeer } from './sdk-stream-peer'

/** Pieces a second. */
const rate = 200
/** So many messages stand before a stream. */
export const messages = 10_000
export const paragraph = 'Some words of an answer with what else there is to be said of it.\n\n'

/** What takes the pieces of a stream. */
export interface Streamed {
  open(): void
  piece(text: string): void
  end(): void
}

/** Says all messages in a conversation that a page shows; resolves when the last one is drawn. */
export async function sayAll(peer: SdkStreamPeer, page: Page, folder: string): Promise<void> {
  peer.begin(folder)
  for (let count = 0; count < messages; count++) {
    peer.reply(paragraph.repeat(3))
    if (count % 500 === 499) await peer.sent()
  }
  peer.reply('All are here.')
  peer.end()
  await page.getByRole('log').getByText('All are here.').waitFor()
}

let pieces = 0

/**
 * Streams for so long, in milliseconds, or until something is done; gives when each piece was sent, by its number, in
 * milliseconds since the epoch.
 */
export async function stream(to: Streamed, until: number | Promise<unknown>): Promise<Map<number, number>> {
  const sent = new Map<number, number>()
  const begun = performance.now()
  let isOver = false
  const over = typeof until === 'number' ? new Promise((resolve) => setTimeout(resolve, until)) : until
  void over.then(() => (isOver = true))
  to.open()
  while (!isOver) {
    for (const due = ((performance.now() - begun) / 1000) * rate; sent.size < due;) {
      const number = pieces++
      sent.set(number, performance.timeOrigin + performance.now())
      to.piece(number % 12 === 11 ? `piece ${number}.\n\n` : `piece ${number} `)
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 / rate))
  }
  to.end()
  return sent
}
