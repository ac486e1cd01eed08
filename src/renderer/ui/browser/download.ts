/** Downloads a file: the browser asks where to save it, or uses its download folder. */
export function download(name: string, parts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser must have read it first.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
