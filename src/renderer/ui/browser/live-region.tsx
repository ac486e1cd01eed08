import { useEffect, useState } from 'react'
import { Emitter } from '../../../shared/lifetime'

interface Said {
  readonly turn: number
  readonly text: string
}

/** A sentence that others have followed stays so long, in milliseconds: what speaks may come to it late. */
const lastingTime = 3000
/** Nobody listens to more than this at once. */
const most = 50

const said = new Emitter<string>()

/** Says a sentence in the page's one polite live region, after those that were said before. */
export function announce(sentence: string): void {
  said.emit(sentence)
}

/**
 * The page's one polite live region; stands once in the frame. Each sentence is a line of its own, so that of several at
 * once none takes another's place, and the same one twice is heard twice.
 */
export function LiveRegion() {
  const [sentences, setSentences] = useState<readonly Said[]>([])
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
