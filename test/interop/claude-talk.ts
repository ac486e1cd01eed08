import { join } from 'node:path'
import type { App } from '../../src/main/app/app'
import type { WindowHost } from '../../src/main/app/window-host'
import { logTo, openWindowOn, startPlainApp } from '../plain-app'
import { textOf } from '../../src/shared/conversation/transcript'
import { putOnPath } from '../program-on-path'
import type { Talk } from '../talk'
import { type ClaudeHome, makeClaudeHome } from './claude-home'
import { installClaudeCode } from './install-cli'
import {
  inOrder,
  type MessagesApi,
  type Reply,
  say,
  type Script,
  type SeenRequest,
  startMessagesApi,
} from './messages-api'

/** The app in this process with the real Claude Code on its PATH and a scripted model, for conversations without a page. */
export interface TalkingApp {
  app: App
  window: WindowHost
  api: MessagesApi
  place: ClaudeHome
  /** What the app reported as errors. */
  faults: unknown[]
  dispose(): Promise<void>
}

/** Starts it, with more in the command line's environment; null where the command line cannot be had. */
export async function startTalkingApp(
  script: Script = inOrder(say('ok')),
  env: Record<string, string> = {},
): Promise<TalkingApp | null> {
  const cli = await installClaudeCode()
  if ('skipped' in cli) return null
  const api = await startMessagesApi(script)
  const place = await makeClaudeHome(api.url)
  const programs = join(place.root, 'bin')
  putOnPath(programs, 'claude', cli.path)
  const faults: unknown[] = []
  const app = await startPlainApp(place.root, {
    log: logTo(faults),
    // As root it refuses the mode without questions otherwise.
    env: {
      ...place.env,
      ...env,
      IS_SANDBOX: '1',
      PATH: `${programs}:${place.env['PATH'] ?? ''}`,
      SHELL: '/bin/sh',
    },
  })
  const window = await openWindowOn(app, place.project)
  await window.parts.trust.answer(place.project, true)
  return {
    ...{ app, window, api, place, faults },
    async dispose() {
      await app.shutdown()
      await api.close()
      await place.remove()
    },
  }
}

/** A model that knows what to answer by a word in what was said last; else it says what the person said. */
export function byWord(words: Record<string, (request: SeenRequest) => Reply | Promise<Reply>>): Script {
  return (request) => {
    if (!request.main) return say('ok')
    const found = Object.keys(words).find((word) => request.latest.includes(word))
    return found === undefined ? say('fine') : (words[found]?.(request) ?? say('fine'))
  }
}

/** A text that comes in pieces until it is let go. */
export function held(...pieces: string[]) {
  let letGo: () => void = () => undefined
  const end = new Promise<void>((resolve) => (letGo = resolve))
  async function* text() {
    yield* pieces
    await end
    yield ' and the rest'
  }
  return { reply: (): Reply => ({ blocks: [{ type: 'text', text: text() }] }), letGo: () => letGo() }
}

/** What the person said, in order. */
export const prompts = (talk: Talk) =>
  talk.items.flatMap((item) => (item.kind === 'prompt' ? [{ id: item.id, text: textOf(item.blocks) }] : []))

/** All of them in the long run, else the first: of what should make no difference. */
export function firstUnlessLong<T>(all: readonly T[]): T[] {
  return process.env['GREENLIGHT_LONG'] === undefined ? all.slice(0, 1) : [...all]
}
