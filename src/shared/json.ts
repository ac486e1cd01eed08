/** What a JSON text says, which is not to be trusted; undefined where it is none, as what was cut off or damaged. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
