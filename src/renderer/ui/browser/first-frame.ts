import { useEffect, useState } from 'react'

/** True once the first frame is on the screen: what is left out of it lets the rest come sooner. */
export function useAfterFirstFrame(isBegun = true): boolean {
  const [isAfter, setAfter] = useState(false)
  useEffect(() => {
    if (!isBegun) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setAfter(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isBegun])
  return isAfter
}
