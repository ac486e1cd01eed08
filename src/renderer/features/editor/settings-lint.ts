import { type Diagnostic, lintGutter, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { client } from '../../state/host/client'
import { readMirror } from '../../state/host/mirror'
import { settingsSources } from '../../state/settings/settings-sources'

/** Milliseconds after the last key before the text is checked. */
const pause = 300

/** Marks problems in settings.json as the host finds them while it is typed; no extension for any other file. */
export function settingsLint(path: string): Extension {
  if (!/[\\/]settings\.json$/.test(path)) return []
  const check = linter(
    async (view): Promise<Diagnostic[]> => {
      // Another program's settings.json, or the page doesn't know ours yet.
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
