import { wordList } from './setting'

export const fileSettings = {
  filesExclude: wordList({
    title: 'Left out',
    sentence:
      'What the file tree, go to file and search leave out, as patterns in the syntax of a .gitignore.',
    group: 'files',
    scope: 'folder',
    default: ['.git', '.svn', '.hg', 'CVS', '.DS_Store', 'Thumbs.db'],
    most: 200,
    longest: 500,
    entry: 'pattern',
  }),
}
