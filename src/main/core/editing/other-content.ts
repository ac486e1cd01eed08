import { imageTypeOf } from '../files/image-kind'
import { statOf } from '../files/read-file'
import type { DocumentState } from './document-state'

/** In bytes; a larger file is shown in pieces. */
const largeFrom = 20 * 1000 * 1000
/** In bytes; a larger picture isn't shown. */
const mostImageBytes = 50 * 1000 * 1000

/**
 * How a file is shown that isn't read as text: a picture, or in pieces if it is larger than `largeBytes`; undefined for
 * any other. `isText`: somebody said that it isn't a picture.
 */
export async function findOtherContent(
  path: string,
  { largeBytes = largeFrom, isText }: { largeBytes?: number | undefined; isText: boolean },
): Promise<Extract<DocumentState, { kind: 'image' | 'large' }> | undefined> {
  const found = await statOf(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const { size, mtimeMs } = found
  const type = size <= mostImageBytes && !isText ? await imageTypeOf(path) : undefined
  if (type) return { kind: 'image', path, size, type, stamp: `${mtimeMs} ${size}` }
  return size > largeBytes ? { kind: 'large', path, size } : undefined
}
