import { type Diagnostic, lintGutter, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { client } from '../../state/host/client'
import { readMirror } from '../../state/host/mirror'
import { settingsSources } from '../../state/settings/settings-sources'

/** Milliseconds after the last key before the text is looked at. */
const pause = 300

/**
 * Marks what is wrong in settings.json while somebody types, with a sentence at its place. The host says what is wrong;
 * nothing of it holds before it is saved, and then all or nothing. No extension for any other file.
 */
export function settingsLint(path: string): Extension {
  if (!/[\\/]settings\.json$/.test(path)) return []
  const check = linter(
    async (view): Promise<Diagnostic[]> => {
      // Another program's file of this name, or the page is not told yet which one is ours.
      if (readMirror(settingsSources)?.file !== path) return []
      const text = view.state.doc.toString()
      const answer = await client.call('settings.check', { text }).catch(() => ({ problems: [] }))
      return answer.problems
        .filter(({ to }) => to <= view.state.doc.length)
        .map(({ kind, sentence, from, to }) => ({ severity: kind, message: sentence, from, to }))
    },
    { delay: pause },
  )
  return [check, lintGutter()]
}
