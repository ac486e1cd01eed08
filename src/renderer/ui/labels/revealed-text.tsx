import { useMemo } from 'react'
import { revealSigns } from '../../../shared/text/plain-text'
import './revealed-text.css'

/** An agent's words as they are, whole; a character that could not be seen stands as its escape. */
export function RevealedText({ text }: { text: string }) {
  const pieces = useMemo(() => revealSigns(text), [text])
  return (
    <bdi>
      {pieces.map((piece, index) =>
        piece.hidden ? (
          <span key={index} className="hidden-sign">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
}

/** The same as plain letters, where no marks can be. */
export function revealed(text: string): string {
  return revealSigns(text)
    .map((piece) => piece.text)
    .join('')
}
