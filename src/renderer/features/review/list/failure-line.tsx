import { useState, type ReactNode } from 'react'
import { announce } from '../../../ui/browser/live-region'

/** A line for what could not be done, and what puts a sentence there and says it. */
export function useFailureLine(): [line: ReactNode, fail: (sentence: string) => void] {
  const [failure, setFailure] = useState<string | null>(null)
  const line =
    failure === null ? null : (
      <p className="gl-pending-failure" role="alert">
        {failure}
      </p>
    )
  const fail = (sentence: string) => {
    setFailure(sentence)
    announce(sentence)
  }
  return [line, fail]
}
