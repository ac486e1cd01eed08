import { readStretch } from './file-pieces'
import { withFile } from './regular-file'

/** Pictures that the page can show, by media type. SVG is text and not among them. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp' | 'image/x-icon'

const endings = /\.(png|apng|jpe?g|gif|webp|bmp|ico)$/i

/** The type of the picture in a file, by its name and first bytes; undefined if it can't be shown. */
export async function imageTypeOf(path: string): Promise<ImageType | undefined> {
  if (!endings.test(path)) return undefined
  try {
    const head = await withFile(path, (file) => readStretch(file, 0, 16))
    return imageTypeIn(head)
  } catch {
    return undefined
  }
}

function imageTypeIn(head: Buffer): ImageType | undefined {
  const hex = head.toString('hex')
  const text = head.toString('latin1')
  if (hex.startsWith('89504e470d0a1a0a')) return 'image/png'
  if (hex.startsWith('ffd8ff')) return 'image/jpeg'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  if (text.startsWith('BM')) return 'image/bmp'
  if (hex.startsWith('00000100')) return 'image/x-icon'
  return undefined
}
