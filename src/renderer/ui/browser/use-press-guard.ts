import { type RefObject, useEffect, useState } from 'react'
import { DisposableStack } from '../../../shared/lifetime'
import { PressGuard } from './press-guard'

/** A guard of what `element` asks, and whether presses count by now. The element stays as long as its component. */
export function usePressGuard(element: RefObject<Element | null>): { guard: PressGuard; isReady: boolean } {
  const [guard] = useState(() => new PressGuard())
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const owned = new DisposableStack(guard.onChange(setReady), guard.follow(element.current))
    return () => owned.dispose()
  }, [guard, element])
  return { guard, isReady }
}
