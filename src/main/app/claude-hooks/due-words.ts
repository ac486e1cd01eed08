import { type CallOf, type HookCall, keyOf } from '../../protocols/claude-hooks/hook-wire'
import type { Due } from '../../protocols/claude-hooks/ports'
import { editedPath, isEditTool } from '../../protocols/claude-tools/edit-tools'

/** A change that was asked about over another connection, and hasn't been written yet. */
interface Asked {
  /** The connection that its session is shown as. */
  connection: string
  path: string
  session: string
  /** What the model is to be told once it is written, and who says it if that never comes. */
  due: Due | null
}

/** Calls that are remembered until their tool has run. */
const mostAsked = 500

/**
 * What the person says with an acceptance that another connection was asked for: the model is told when the tool has
 * written, beside its result.
 */
export class DueWords {
  readonly #asked = new Map<string, Asked>()

  /** A tool is about to ask. */
  begin(call: HookCall, connection: string): void {
    if (call.hook_event_name !== 'PreToolUse' || !isEditTool(call.tool_name)) return
    const path = editedPath(call.tool_name, call.tool_input)
    if (!path.ok) return
    this.#asked.set(keyOf(call), { connection, path: path.value, session: call.session_id, due: null })
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > mostAsked && oldest !== undefined) this.#end(oldest)
  }

  /**
   * Takes words about a change that was accepted over a connection. False if no tool is about to write it. `otherwise` is
   * called if the model can't be told after all.
   */
  give(connection: string, path: string, words: string, otherwise: () => void): boolean {
    const asked = [...this.#asked.values()].findLast(
      (one) => one.connection === connection && one.path === path && one.due === null,
    )
    if (!asked) return false
    asked.due = { words, otherwise }
    return true
  }

  /** The tool has written: what the model is to be told now; null if nothing. */
  take(call: CallOf<'PostToolUse'>): Due | null {
    const key = keyOf(call)
    const due = this.#asked.get(key)?.due ?? null
    this.#asked.delete(key)
    return due
  }

  /** A tool failed, a turn or session is over, or hooks may end: what is still due is said otherwise. */
  hear(call: HookCall): void {
    switch (call.hook_event_name) {
      case 'PostToolUseFailure':
        return this.#end(keyOf(call))
      case 'UserPromptSubmit':
      case 'ConfigChange':
      case 'SessionEnd':
        for (const [key, { session }] of this.#asked) if (session === call.session_id) this.#end(key)
        return
      default:
    }
  }

  /** Nothing is heard any more: what is still due is said otherwise. */
  end(): void {
    for (const key of this.#asked.keys()) this.#end(key)
  }

  #end(key: string): void {
    const due = this.#asked.get(key)?.due
    this.#asked.delete(key)
    due?.otherwise()
  }
}
