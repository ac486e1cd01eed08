import { useEffect, useState } from 'react'
import './skeleton.css'

/** True once a wait has lasted 200 ms; shorter waits show nothing, to avoid flicker. */
export function useLongWait(waiting: boolean): boolean {
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setLong(true), 200)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [waiting])
  return waiting && long
}

/** Placeholder lines for a text, after 200 ms. `progress` is from 0 to 1, for long work. */
export function Skeleton({ lines = 6, progress }: { lines?: number; progress?: number | undefined }) {
  const long = useLongWait(true)
  if (!long) return null
  return (
    <div className="skeleton column" role="status" aria-label="Loading">
      {progress === undefined ? null : (
        <progress className="skeleton-progress" value={progress} aria-label="Loading" />
      )}
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} style={{ width: `${40 + ((line * 37) % 50)}%` }} />
      ))}
    </div>
  )
}
