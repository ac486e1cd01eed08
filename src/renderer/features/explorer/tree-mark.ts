import type { TreeMark } from '../../state/files/git-mirror'

interface MarkLook {
  letter: string
  tone: 'modified' | 'added' | 'conflict' | 'ignored'
  words: string
}

/** How a line of the tree shows its git status. A folder has a dot for changes inside it. */
export function lookOf({ mark, inside }: TreeMark): MarkLook {
  switch (mark) {
    case 'conflict':
      return inside
        ? { letter: '•', tone: 'conflict', words: 'contains conflicts' }
        : { letter: 'C', tone: 'conflict', words: 'conflict' }
    case 'modified':
    case 'renamed':
    case 'deleted': {
      if (inside) return { letter: '•', tone: 'modified', words: 'contains changes' }
      const letter = { modified: 'M', renamed: 'R', deleted: 'D' }[mark]
      return { letter, tone: 'modified', words: mark }
    }
    case 'added':
      return inside
        ? { letter: '•', tone: 'added', words: 'contains new files' }
        : { letter: 'A', tone: 'added', words: 'added' }
    case 'untracked':
      return inside
        ? { letter: '•', tone: 'added', words: 'contains new files' }
        : { letter: 'U', tone: 'added', words: 'untracked' }
    case 'ignored':
      return { letter: '', tone: 'ignored', words: 'ignored by git' }
  }
}
