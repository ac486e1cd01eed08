/** Gives the person a file: the browser asks where it shall be, or puts it where downloads are. */
export function download(name: string, parts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Whoever saves it has to have read it first.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
