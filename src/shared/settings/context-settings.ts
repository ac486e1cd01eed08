import { onOff, wordList } from './setting'

export const contextSettings = {
  contextNeverShared: wordList({
    title: 'Never shared',
    sentence: 'Files that are never shared with agents, as .gitignore patterns.',
    scope: 'folder',
    default: ['.env*', '*.pem', '*.key', 'id_*', '.git/'],
    most: 200,
    longest: 500,
    entry: 'pattern',
  }),
  contextIgnoredByGit: onOff({
    title: 'Don’t share files ignored by git',
    sentence: 'Files ignored by git are never shared with agents.',
    scope: 'folder',
    default: false,
  }),
}
