import { objectOf } from '../../../shared/json'
import type { Disposable } from '../../../shared/lifetime'
import { McpSession, type SessionOptions } from './mcp-session'

/** A server of tools whose messages another protocol carries, each with its answer. */
export class HostedMcp<Context> implements Disposable {
  readonly #session: McpSession<Context>

  constructor(options: Omit<SessionOptions<Context>, 'send'>) {
    // It says nothing that isn't an answer.
    this.#session = new McpSession({ ...options, send: () => undefined })
  }

  /** The answer to a parsed message; null where none is due, or nobody waits for it any more. */
  answer(message: unknown): Promise<object | null> {
    return new Promise((resolve) => {
      this.#session.receive(message, (text) =>
        resolve(objectOf(JSON.parse(text ?? 'null') as unknown) ?? null),
      )
    })
  }

  dispose(): void {
    this.#session.dispose()
  }
}
