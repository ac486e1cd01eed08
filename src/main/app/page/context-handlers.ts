import type { ContextState } from '../../../shared/contract/context'
import { DisposableStack } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import type { Context } from '../../core/context/context'
import { describeContext } from '../../core/context/context-description'
import { patternFor } from '../../core/files/path-rules'
import type { WindowSettings } from '../../core/settings/window-settings'
import { describePlace } from '../folder-names'
import type { WindowFolders } from '../window-folders'
import { type PageHandlers, definedOnly } from './page-handlers'

/** So many patterns may stand in the settings (the contract's bound). */
const mostPatterns = 200

/** What agents see of a window, what they were given, and the person's switches. */
export function contextHandlers({
  context,
  settings,
  folders,
  home,
}: {
  context: Context
  settings: WindowSettings
  folders: WindowFolders
  home: string
}): PageHandlers<'context', 'context'> {
  const describe = () => describeContext(context, (path) => describePlace(folders.named, path, home).folder)
  return {
    calls: {
      'context.share': (change) => context.share(definedOnly(change)),
      'context.exclude': ({ path }) => {
        const { contextNeverShared: known } = settings.get()
        const pattern = patternFor(path, home)
        if (pattern.length > 500 || known.length >= mostPatterns) {
          return fail('too-many', 'There are too many patterns. Remove one first.')
        }
        const done = known.includes(pattern)
          ? succeed({})
          : settings.set({ contextNeverShared: [...known, pattern] })
        return done.ok ? succeed({ pattern }) : done
      },
    },
    topics: {
      context: (_params, sink) => {
        let told: Omit<ContextState, 'sent'> = describe()
        sink.snapshot({ ...told, sent: [...context.record.entries] })
        return new DisposableStack(
          context.onChange(() => {
            const now = describe()
            const state = whatDiffers(told, now)
            told = now
            if (Object.keys(state).length > 0) sink.delta({ kind: 'state', state })
          }),
          context.record.onEntry((entry) => sink.delta({ kind: 'sent', entry })),
        )
      },
    },
  }
}

function whatDiffers<T extends object>(told: T, now: T): Partial<T> {
  const keys = Object.keys(now) as (keyof T)[]
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(told[key]) !== JSON.stringify(now[key]))
      .map((key) => [key, now[key]]),
  ) as Partial<T>
}
