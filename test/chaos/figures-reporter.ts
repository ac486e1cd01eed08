import type { Reporter, TestCase } from '@playwright/test/reporter'
import { seed } from './chance'
import { type Figure, figureType } from './figures'

/** Prints the figures of the chaos suite as a table, with the seed. Prints nothing in other runs. */
export class FiguresReporter implements Reporter {
  readonly #figures = new Map<string, Figure>()

  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations) {
      if (type !== figureType || description === undefined) continue
      const figure = JSON.parse(description) as Figure
      const sum = (this.#figures.get(figure.name)?.measured ?? 0) + figure.measured
      this.#figures.set(figure.name, { ...figure, measured: sum })
    }
  }

  onEnd(): void {
    if (this.#figures.size === 0) return
    const rows = [...this.#figures.values()].map(({ name, measured, atMost, atLeast }) => {
      const goal = atMost === undefined ? atLeast : atMost
      const isMet = measured <= (atMost ?? Infinity) && measured >= (atLeast ?? -Infinity)
      const wanted = goal === undefined ? '' : `${atMost === undefined ? '≥' : '≤'} ${written(goal)}`
      return [name, written(measured), wanted, goal === undefined ? '' : isMet ? 'met' : 'MISSED']
    })
    const all = [['chaos', 'measured', 'target', ''], ...rows]
    const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
    const lines = all.map((row) =>
      row
        .map((cell, column) => pad(cell, column, widths))
        .join('  ')
        .trimEnd(),
    )
    console.log(
      `\n${lines.join('\n')}\nSeed ${seed}: GREENLIGHT_CHAOS_SEED=${seed} repeats its random choices.\n`,
    )
  }
}

const written = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2)

const pad = (cell: string, column: number, widths: readonly number[]): string => {
  const width = widths[column] ?? 0
  return column === 1 || column === 2 ? cell.padStart(width) : cell.padEnd(width)
}

// Playwright expects a default export.
// oxlint-disable-next-line import/no-default-export
export default FiguresReporter
