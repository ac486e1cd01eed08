import { wordList } from './setting'

export const fileSettings = {
  filesExclude: wordList({
    title: 'Excluded files',
    sentence: 'Files hidden from the file tree, go to file and search, as .gitignore patterns.',
    scope: 'folder',
    default: ['.git', '.svn', '.hg', 'CVS', '.DS_Store', 'Thumbs.db'],
    most: 200,
    longest: 500,
    entry: 'pattern',
  }),
}
