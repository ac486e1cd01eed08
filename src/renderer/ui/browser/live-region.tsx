import { useEffect, useState } from 'react'
import { Emitter } from '../../../shared/lifetime'

/** How long a sentence stays after others have followed, in milliseconds: a screen reader may read it late. */
const lastingTime = 3000
/** Nobody listens to more than this at once. */
const most = 50

const said = new Emitter<string>()

/** Announces a sentence in the page's one polite live region, after those before it. */
export function announce(sentence: string): void {
  said.emit(sentence)
}

/**
 * The page's one polite live region, once in the frame. Each sentence is its own line, so that several at once don't
 * replace each other, and the same one twice is heard twice.
 */
export function LiveRegion() {
  const [sentences, setSentences] = useState<readonly { turn: number; text: string }[]>([])
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    let turn = 0
    const forget = (until: number) =>
      setSentences((before) => before.filter((one, index) => one.turn > until || index === before.length - 1))
    const hearing = said.on((text) => {
      const mine = ++turn
      setSentences((before) => [...before, { turn: mine, text }].slice(-most))
      const timer = setTimeout(() => {
        timers.delete(timer)
        forget(mine)
      }, lastingTime)
      timers.add(timer)
    })
    return () => {
      hearing.dispose()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])
  return (
    <div className="unseen" role="status" aria-live="polite" aria-atomic="false" aria-relevant="additions">
      {sentences.map(({ turn, text }) => (
        <p key={turn}>{text}</p>
      ))}
    </div>
  )
}
