// Makes a folder that is laid out as Electron's own, with programs that are none: enough for electron-builder to pack
// the app where Electron's program cannot be fetched. What comes out does not run, and says so.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Electron's fuses stand in its program after this mark: version 1, how many, and one digit for each. */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** On or off as Electron ships them, in the order of FuseV1Options. */
export const shippedFuses = '10110001'

/** Fills `folder` as a Linux build of Electron `version`. */
export function makeElectronDist(folder, version) {
  mkdirSync(join(folder, 'locales'), { recursive: true })
  const excuse = '#!/bin/sh\necho "This is a stand-in for Electron and runs nothing." >&2\nexit 70\n'
  const fuses = Buffer.concat([
    Buffer.from(fuseMark),
    Buffer.from([1, shippedFuses.length]),
    Buffer.from(shippedFuses),
  ])
  const program = (name, content) => {
    writeFileSync(join(folder, name), content)
    chmodSync(join(folder, name), 0o755)
  }
  program('electron', Buffer.concat([Buffer.from(`${excuse}# `), fuses, Buffer.from('\n')]))
  for (const name of ['chrome-sandbox', 'chrome_crashpad_handler']) program(name, excuse)
  const data = [
    'libffmpeg.so',
    'icudtl.dat',
    'resources.pak',
    'snapshot_blob.bin',
    'LICENSE',
    'LICENSES.chromium.html',
  ]
  for (const name of data) writeFileSync(join(folder, name), 'stand-in\n')
  writeFileSync(join(folder, 'version'), version)
  writeFileSync(join(folder, 'locales', 'en-US.pak'), 'stand-in\n')
}
