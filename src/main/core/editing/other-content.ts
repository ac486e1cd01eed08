import { imageTypeOf } from '../files/image-kind'
import { statOf } from '../files/read-file'
import type { DocumentState } from './document-state'

/** 20 MB: from here on a file is shown in pieces. */
const largeFrom = 20 * 1000 * 1000
/** A picture above this size, in bytes, is not drawn. */
const mostImageBytes = 50 * 1000 * 1000

/**
 * A file that is not read as a text: a picture, or one of more than `largeBytes` that is shown in pieces; undefined for
 * any other. With `isText` somebody has said that it is no picture.
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
