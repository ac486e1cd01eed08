import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { ApprovalRule, NewRule, Question, RuleWords } from '../../../shared/approval/approval'
import { problemOfPattern, ruleFor } from '../../../shared/approval/approval-rule'
import { approvalRule } from '../../../shared/approval/approval-schemas'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import { readJsonFile, writeJsonFile } from '../files/json-file'

/** The limit: nobody could look through more. */
const mostRules = 500

const rulesFile = z.object({ version: z.literal(1), rules: z.array(approvalRule).max(mostRules) })

const gone = 'This rule no longer exists. Look at the list of rules.'

/**
 * The rules that answer automatically, in DATA/approval-rules.json. Rules for one session stay in memory and end with
 * it. A change counts once it is on disk.
 */
export class ApprovalRules implements Disposable {
  readonly #path: string
  readonly #changed = new Emitter<void>()
  #rules: readonly ApprovalRule[]
  #writing: Promise<unknown> = Promise.resolve()
  readonly onChange = this.#changed.on
  /** What was wrong with the file at the start, as a sentence. */
  readonly problem: string | null

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, 'approval-rules.json')
    const { value, problem } = readJsonFile(this.#path, rulesFile, 'The rules of approvals')
    this.#rules = value?.rules ?? []
    this.problem = problem
  }

  /** Oldest first. */
  get rules(): readonly ApprovalRule[] {
    return this.#rules
  }

  ruleFor(question: Question): ApprovalRule | null {
    return ruleFor(this.#rules, question)
  }

  /** Adds a rule, unless an equal one exists (then `isNew` is false), and returns its id. */
  async add(rule: NewRule): Promise<Result<{ id: string; isNew: boolean }>> {
    const problem = problemOfPattern(rule.kind, rule.pattern)
    if (problem !== null) return fail('invalid', problem)
    const made: ApprovalRule = { ...rule, id: randomUUID(), madeAt: Date.now() }
    if (!approvalRule.safeParse(made).success) {
      return fail('invalid', 'This is too long to be made a rule. Choose another answer.')
    }
    let id = made.id
    const done = await this.#change((rules) => {
      const same = rules.find((other) => isSame(other, rule))
      if (same) id = same.id
      else if (rules.length >= mostRules) {
        return fail('full', `There are ${mostRules} rules already. Remove some, or choose another answer.`)
      }
      return succeed(same ? rules : [...rules, made])
    })
    return done.ok ? succeed({ id, isNew: id === made.id }) : done
  }

  async edit(id: string, change: RuleWords): Promise<Done> {
    const problem = problemOfPattern(change.kind, change.pattern)
    if (problem !== null) return fail('invalid', problem)
    return this.#change((rules) =>
      rules.some((rule) => rule.id === id)
        ? succeed(rules.map((rule) => (rule.id === id ? { ...rule, ...change } : rule)))
        : fail('gone', gone),
    )
  }

  remove(id: string): Promise<Done> {
    return this.#change((rules) =>
      rules.some((rule) => rule.id === id)
        ? succeed(rules.filter((rule) => rule.id !== id))
        : fail('gone', gone),
    )
  }

  /** A session or connection is over: removes the rules made for it alone. */
  endSession(session: string): Promise<Done> {
    return this.#change((rules) => succeed(rules.filter((rule) => rule.session !== session)))
  }

  dispose(): void {
    this.#changed.dispose()
  }

  #change(change: (rules: readonly ApprovalRule[]) => Result<readonly ApprovalRule[]>): Promise<Done> {
    const run = async (): Promise<Done> => {
      const changed = change(this.#rules)
      if (!changed.ok) return changed
      const [before, after] = [this.#rules, changed.value].map((rules) =>
        rules.filter(({ session }) => session === null),
      )
      if (before && after && JSON.stringify(before) !== JSON.stringify(after)) {
        const written = await writeJsonFile(this.#path, { version: 1, rules: after })
        if (!written.ok) return written
      }
      this.#rules = changed.value
      this.#changed.emit()
      return succeed({})
    }
    const done = this.#writing.then(run)
    this.#writing = done
    return done
  }
}

function isSame(rule: ApprovalRule, other: NewRule): boolean {
  const { id: _, madeAt: __, ...words } = rule
  return (Object.keys(words) as (keyof NewRule)[]).every((name) => words[name] === other[name])
}
