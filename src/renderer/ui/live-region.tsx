import { useEffect, useState } from 'react'
import { Emitter } from '../../shared/lifetime'

const said = new Emitter<string>()

/** Says a sentence in the page's one polite live region. */
export function announce(sentence: string): void {
  said.emit(sentence)
}

/** The page's one polite live region; stands once in the frame. */
export function LiveRegion() {
  const [sentence, setSentence] = useState({ text: '', turn: 0 })
  useEffect(() => {
    const hearing = said.on((text) => setSentence((before) => ({ text, turn: before.turn + 1 })))
    return () => hearing.dispose()
  }, [])
  // The same sentence twice in a row must be a change of the text, or nobody hears it again.
  const text = sentence.turn % 2 === 0 ? sentence.text : `${sentence.text}\u00a0`
  return (
    <div className="unseen" role="status" aria-live="polite">
      {text}
    </div>
  )
}
