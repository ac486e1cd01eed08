/** The folder in which build.mjs has put this program (it is one file there, with the worlds' scripts beside it). */
export const standInFolder = new URL('./', import.meta.url)
