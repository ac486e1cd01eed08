import { homedir } from 'node:os'
import { examineMachine } from '../app/dialect-kit/machine-examination'
import { dialects } from '../app/dialects'
import { defaultDataDirectory } from '../core/platform/directories'
import { dataDirectoryVariable } from './errands'

const marks = { good: '✓', bad: '✗', note: '·' }

/**
 * What agents on this machine have, lack and find, as lines for a terminal, and whether all is well. Nothing is
 * changed, no token is shown.
 */
export async function diagnose(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ text: string; isWell: boolean }> {
  const home = variables['HOME'] ?? homedir()
  const dataDir =
    variables[dataDirectoryVariable] ||
    defaultDataDirectory({ platform: process.platform, env: { ...variables }, home })
  const parts = await examineMachine({ home, dataDir, variables }, dialects)
  const text = parts
    .map(({ title, findings }) =>
      [title, ...findings.map(({ state, words }) => `  ${marks[state]} ${words}`)].join('\n'),
    )
    .join('\n\n')
  return {
    text: `${text}\n`,
    isWell: parts.every(({ findings }) => findings.every((one) => one.state !== 'bad')),
  }
}
