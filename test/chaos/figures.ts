import { test } from '@playwright/test'

/** Something a run has measured. Figures of the same name are added up. */
export interface Figure {
  name: string
  measured: number
  /** The target; without one the figure is only reported. */
  atMost?: number
  atLeast?: number
}

export const figureType = 'chaos figure'

/** Adds a figure to the table that is printed at the end of the run. */
export function note(figure: Figure): void {
  test.info().annotations.push({ type: figureType, description: JSON.stringify(figure) })
}
