import { strict } from './strict'

type Asking =
  | 'showOpenDialog'
  | 'showSaveDialog'
  | 'showMessageBox'
  | 'showOpenDialogSync'
  | 'showSaveDialogSync'
  | 'showMessageBoxSync'

/** There is nobody to answer: a test puts its own function in this one's place. */
function unanswered(name: Asking): Error {
  return new Error(`stand-in: dialog.${name} was called, and the test has put nothing in its place`)
}

const later = (name: Asking) => (): Promise<never> => Promise.reject(unanswered(name))
const now = (name: Asking) => (): never => {
  throw unanswered(name)
}

/** Electron's `dialog`. */
export const dialog = strict('dialog', {
  showOpenDialog: later('showOpenDialog'),
  showSaveDialog: later('showSaveDialog'),
  showMessageBox: later('showMessageBox'),
  showOpenDialogSync: now('showOpenDialogSync'),
  showSaveDialogSync: now('showSaveDialogSync'),
  showMessageBoxSync: now('showMessageBoxSync'),
  showErrorBox: (title: string, content: string): void =>
    console.error(`stand-in: error box: ${title}: ${content}`),
}) satisfies Pick<Electron.Dialog, Asking | 'showErrorBox'>
