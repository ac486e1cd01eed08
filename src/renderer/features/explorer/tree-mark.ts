import type { TreeMark } from '../../state/files/git-mirror'

interface MarkLook {
  letter: string
  tone: 'modified' | 'added' | 'conflict' | 'ignored'
  words: string
}

const looks: Record<TreeMark['mark'], MarkLook> = {
  conflict: { letter: 'C', tone: 'conflict', words: 'conflict' },
  modified: { letter: 'M', tone: 'modified', words: 'modified' },
  renamed: { letter: 'R', tone: 'modified', words: 'renamed' },
  deleted: { letter: 'D', tone: 'modified', words: 'deleted' },
  added: { letter: 'A', tone: 'added', words: 'added' },
  untracked: { letter: 'U', tone: 'added', words: 'untracked' },
  ignored: { letter: '', tone: 'ignored', words: 'ignored by git' },
}
const wordsInside = {
  conflict: 'contains conflicts',
  modified: 'contains changes',
  added: 'contains new files',
}

/** How a line of the tree shows its git status. A folder has a dot for changes inside it. */
export function lookOf({ mark, inside }: TreeMark): MarkLook {
  const look = looks[mark]
  if (!inside || look.tone === 'ignored') return look
  return { letter: '•', tone: look.tone, words: wordsInside[look.tone] }
}
