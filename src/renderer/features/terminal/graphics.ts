import { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'
import { type Disposable, disposable } from '../../../shared/lifetime'

let usable: boolean | null = null

/** Whether the hardware draws WebGL; in software it is four times slower than the page itself. */
function hasHardwareGraphics(): boolean {
  if (usable !== null) return usable
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  const info = context?.getExtension('WEBGL_debug_renderer_info')
  const name = String((info && context?.getParameter(info.UNMASKED_RENDERER_WEBGL)) ?? '')
  usable = context !== null && !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name)
  // Browsers keep only a few contexts alive.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return usable
}

/** Draws an opened, visible terminal with WebGL until disposed. Where WebGL is missing or slow, the page draws it. */
export function drawFast(terminal: Terminal): Disposable {
  if (!hasHardwareGraphics()) return disposable(() => undefined)
  try {
    const addon = new WebglAddon()
    const end = disposable(() => addon.dispose())
    addon.onContextLoss(() => end.dispose())
    terminal.loadAddon(addon)
    return end
  } catch {
    usable = false
    return disposable(() => undefined)
  }
}
