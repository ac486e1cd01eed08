import { disposable, type Disposable, type Listen } from '../../../shared/lifetime'

/** How long a selection or other context must rest before agents are told, in milliseconds. */
const restMs = 50

/** Calls `tell` once changes have paused; at once for those the person made by their own word (`atOnce`). */
export function debounceContext(onChange: Listen<{ atOnce: boolean }>, tell: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined
  const listening = onChange(({ atOnce }) => {
    clearTimeout(timer)
    if (atOnce) tell()
    else timer = setTimeout(tell, restMs)
  })
  return disposable(() => {
    clearTimeout(timer)
    listening.dispose()
  })
}
