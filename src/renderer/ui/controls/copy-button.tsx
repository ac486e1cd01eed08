import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button'
import { announce } from '../browser/live-region'

/** How long the button shows that it has copied, in milliseconds. */
const shownFor = 1500

/** Copies a text; announces the result and gives whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    announce('Copied.')
    return true
  } catch {
    announce('Couldn’t copy. Allow clipboard access for this page and try again.')
    return false
  }
}

/** A small button that copies a text and shows that it has. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), shownFor)
    return () => clearTimeout(timer)
  }, [isDone])
  return (
    <IconButton
      label={label}
      icon={isDone ? <Check /> : <Copy />}
      onClick={() => void copyText(text()).then(setDone)}
    />
  )
}
