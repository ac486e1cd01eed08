import { onOff, wordList } from './setting'

export const contextSettings = {
  contextNeverShared: wordList({
    title: 'Never shared',
    sentence: 'Files that no agent is told of, as patterns in the syntax of a .gitignore.',
    group: 'context',
    scope: 'folder',
    default: ['.env*', '*.pem', '*.key', 'id_*', '.git/'],
    most: 200,
    longest: 500,
    entry: 'pattern',
  }),
  contextIgnoredByGit: onOff({
    title: 'Keep what git ignores to yourself',
    sentence: 'Files that git ignores are not shared with agents either.',
    group: 'context',
    scope: 'folder',
    default: false,
  }),
}
