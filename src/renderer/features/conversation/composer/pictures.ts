import type { Picture } from '../../../../shared/contract/conversations'
import type { AddedPicture } from '../../../state/sessions/added-pictures'

const mostPictures = 20
/** In bytes: of one, and of all that go with a message. What models take is about that much. */
const largest = 5_000_000
const largestTogether = 50_000_000

type MediaType = Picture['mediaType']
const types: readonly MediaType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export function isPictureType(type: string): type is MediaType {
  return types.some((known) => known === type)
}

/** What a browser's file field offers. */
export const pictureTypes = types.join(',')

/** What came of adding pictures: those that can be sent, and for the others a sentence. */
export interface ReadPictures {
  added: AddedPicture[]
  problem: string | null
}

/** Why pictures can't go with one message, as a sentence; null if they can. Those of several come back unsent together. */
export function tooManyOf(pictures: readonly AddedPicture[]): string | null {
  if (pictures.length > mostPictures)
    return `A message takes at most ${mostPictures} pictures, and this has ${pictures.length}. Remove some of them.`
  return pictures.reduce((sum, { data }) => sum + sizeOf(data), 0) > largestTogether
    ? 'The pictures are larger than 50 MB together. Remove some of them.'
    : null
}

/** Reads files as pictures for a message that has some already. */
export async function readPictures(
  files: readonly File[],
  before: readonly AddedPicture[],
): Promise<ReadPictures> {
  const added: AddedPicture[] = []
  let problem: string | null = null
  let together = before.reduce((sum, { data }) => sum + sizeOf(data), 0)
  for (const file of files) {
    const name = file.name === '' ? 'The picture' : file.name
    if (before.length + added.length >= mostPictures) {
      problem = `A message takes at most ${mostPictures} pictures. Send the others with the next one.`
      break
    }
    if (file.size > largest) {
      problem = `${name} is larger than 5 MB. Make it smaller, then add it again.`
      continue
    }
    if (together + file.size > largestTogether) {
      problem = 'The pictures are larger than 50 MB together. Send the others with the next message.'
      break
    }
    const bytes = new Uint8Array(await file.arrayBuffer())
    const mediaType = typeOf(bytes)
    if (mediaType === null) {
      problem = `${name} isn’t a PNG, JPEG, GIF or WebP picture. Convert it, then add it again.`
      continue
    }
    together += file.size
    added.push({ name: file.name, mediaType, data: toBase64(bytes) })
  }
  return { added, problem }
}

/** A picture's type by its first bytes, whatever its name says; null for anything else. */
export function typeOf(bytes: Uint8Array): MediaType | null {
  const begins = (text: string, at = 0) =>
    Array.from(text).every((letter, index) => bytes[at + index] === letter.charCodeAt(0))
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  return null
}

function sizeOf(base64: string): number {
  return (base64.length * 3) / 4
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // A call takes only so many arguments.
  const step = 0x8000
  for (let at = 0; at < bytes.length; at += step) {
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  }
  return btoa(text)
}
