import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button } from '../controls/button'
import { EmptyState } from './empty-state'

/**
 * Keeps an error in one part of the page from breaking the rest: shows `fallback` in its place, by default a sentence and
 * a button to try again.
 */
export class FaultBoundary extends Component<
  { children: ReactNode; fallback?: ReactNode },
  { isBroken: boolean }
> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    const { children, fallback } = this.props
    if (!this.state.isBroken) return children
    if (fallback !== undefined) return fallback
    return (
      <EmptyState
        icon={<TriangleAlert />}
        title="Greenlight couldn’t show this"
        action={<Button onClick={() => this.setState({ isBroken: false })}>Try again</Button>}
      >
        Nothing is lost. If trying again doesn’t help, reload the page.
      </EmptyState>
    )
  }
}
