import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Writes each skipped test with its reason to a file: vitest's own JSON leaves the reason out. */
export class SkipReporter implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skips = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => {
        const result = test.result()
        const name = `${relative(process.cwd(), module.moduleId)}: ${test.fullName}`
        return { name, reason: (result.state === 'skipped' && result.note) || null }
      }),
    )
    writeFileSync(this.#file, JSON.stringify(skips))
  }
}
