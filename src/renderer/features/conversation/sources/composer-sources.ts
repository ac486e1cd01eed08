import { attempt } from '../../../state/host/calls'
import { contextMirror } from '../../../state/agents/context-mirror'
import { useMirror } from '../../../state/host/mirror'
import { picturesOf } from '../../../state/sessions/added-pictures'
import { draftOf } from '../../../state/sessions/conversation-layout'
import { openSymbols } from '../../../state/tabs/open-documents'
import { describePlaceIn } from '../../../ui/wording/line-places'
import { countOf } from '../../../ui/wording/number-format'
import { plainName } from '../../../ui/wording/plain-name'
import type { ComposerSources, MessageDraft } from '../conversation-state'

/** What is being written for a conversation, kept by its name. */
export function messageDraft(name: string): MessageDraft {
  return { ...draftOf(name), pictures: picturesOf(name) }
}

/** How long a list of files is good enough before it is made anew, in milliseconds. */
const listAge = 30_000
let listedAt = Number.NEGATIVE_INFINITY

/** Files and names that can be mentioned. */
export const plainSources: ComposerSources = {
  files: async (typed) => {
    const refresh = performance.now() - listedAt > listAge
    if (refresh) listedAt = performance.now()
    const found = await attempt('search.files', { typed, withIgnored: false, refresh })
    return found.ok ? found.value.files : []
  },
  symbols: openSymbols,
}

/** The same, and what of the editor goes with a message. */
export const sharedSources: ComposerSources = {
  ...plainSources,
  useShared: () => {
    // As a text, so that nothing is drawn anew as long as it says the same.
    const words = useMirror(contextMirror, (context) => {
      if (!context?.sharing.all) return ''
      const files = context.files.filter(({ withheld }) => withheld === null)
      const { latest } = context
      const selected =
        latest && latest.withheld === null && latest.length > 0
          ? `${plainName(latest.name)}, ${describePlaceIn(latest)}`
          : null
      const open = files.length === 0 ? null : countOf(files.length, 'open file')
      return [selected, open].filter((part) => part !== null).join(' · ')
    })
    return words === '' ? null : { words, all: `Goes with your message: ${words}` }
  },
}
