import { type GitAnswer, type GitQuestion, asArguments, runGit } from './run-git'

/** Nobody has this many filters; then git is not asked. */
const mostFilters = 100

/** An answer, and which filters it was made without. */
export interface UnfilteredAnswer extends GitAnswer {
  filters: readonly string[]
}

/**
 * Runs a git command that reads the contents of files without running the configured filters (clean, smudge, process),
 * whoever configured them: even the person's own (Git LFS) obeys the repository. Null if git can't be asked or the
 * filters can't be turned off.
 */
export async function withoutFilters(question: GitQuestion): Promise<UnfilteredAnswer | null> {
  const filters = await filtersIn(question)
  if (filters === null) return null
  const off = Object.fromEntries(
    filters.flatMap((name) => [
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    ]),
  )
  const answer = await runGit({ ...question, args: [...asArguments(off), ...question.args] })
  return answer && { ...answer, filters }
}

/** The names of all filters configured for a folder; null if they can't be listed or turned off. */
async function filtersIn(question: GitQuestion): Promise<string[] | null> {
  const args = ['config', '-z', '--name-only', '--get-regexp', '^filter[.]']
  const { input: _none, maxBytes: _usual, ...place } = question
  const answer = await runGit({ ...place, args })
  // 1 means that there are none.
  if (!answer?.isWhole || (answer.code !== 0 && answer.code !== 1)) return null
  const keys = answer.output.toString('utf8').split('\0')
  const names = new Set(
    keys.flatMap((key) => {
      const [begin, end] = [key.indexOf('.'), key.lastIndexOf('.')]
      return end > begin ? [key.slice(begin + 1, end)] : []
    }),
  )
  // A name with `=` in it can't be passed on a command line: the part before it would be set.
  const isPlain = [...names].every((name) => !/[=\n\uFFFD]/.test(name))
  return isPlain && names.size <= mostFilters ? [...names] : null
}

/** Which of some paths, relative to the folder and with slashes, go through one of these filters; null if unknown. */
export async function findFiltered(
  place: Omit<GitQuestion, 'args' | 'input'>,
  names: readonly string[],
  filters: readonly string[],
): Promise<Set<string> | null> {
  if (filters.length === 0 || names.length === 0) return new Set()
  const input = names.map((name) => `${name}\0`).join('')
  const answer = await runGit({ ...place, args: ['check-attr', '-z', '--stdin', 'filter'], input })
  if (answer?.code !== 0 || !answer.isWhole) return null
  const found = new Set<string>()
  const words = answer.output.toString('utf8').split('\0')
  for (let at = 0; at + 2 < words.length; at += 3) {
    if (filters.includes(words[at + 2] ?? '')) found.add(words[at] ?? '')
  }
  return found
}
