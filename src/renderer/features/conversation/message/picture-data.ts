/** Pictures that may be drawn from their data: types that hold no program. */
const types = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Longer ones are only named, in letters of base64. */
const longest = 12_000_000

/** Whether a picture may be drawn: of a known type, and nothing but base64. */
export function isPictureData(mediaType: string, data: string): boolean {
  return (
    types.has(mediaType) && data.length > 0 && data.length <= longest && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
  )
}
