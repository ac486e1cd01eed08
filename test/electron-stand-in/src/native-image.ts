import { strict } from './strict'

/** An image that the stand-in has taken of a page: a PNG and nothing else. */
export function pngImage(png: Buffer): Electron.NativeImage {
  // Width and height stand at fixed places in a PNG's first chunk.
  const size = { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
  const image = strict('nativeImage', {
    toPNG: () => png,
    toDataURL: () => `data:image/png;base64,${png.toString('base64')}`,
    isEmpty: () => png.length === 0,
    getSize: () => size,
  }) satisfies Pick<Electron.NativeImage, 'toPNG' | 'toDataURL' | 'isEmpty' | 'getSize'>
  return image as unknown as Electron.NativeImage
}
