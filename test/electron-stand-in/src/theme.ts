import { StrictEmitter } from './strict'

type Source = Electron.NativeTheme['themeSource']

/** Electron's `nativeTheme` on a system that is light. */
class StandInTheme
  extends StrictEmitter
  implements
    Pick<
      Electron.NativeTheme,
      'themeSource' | 'shouldUseDarkColors' | 'shouldUseHighContrastColors' | 'inForcedColorsMode'
    >
{
  readonly shouldUseHighContrastColors = false
  readonly inForcedColorsMode = false
  #source: Source = 'system'

  get themeSource(): Source {
    return this.#source
  }

  set themeSource(source: Source) {
    if (source === this.#source) return
    this.#source = source
    this.emit('updated')
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark'
  }
}

/** The one `nativeTheme`. */
export const nativeTheme: StandInTheme = new StandInTheme('nativeTheme', ['updated'])
