import { keyParts } from '../wording/key-label'
import { isMac } from '../browser/platform'
import './kbd.css'

/** A key as the person's keyboard names it. Decoration only: assistive technology reads `aria-keyshortcuts`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="kbd" aria-hidden="true">
      {keyParts(keys, isMac).map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  )
}
