import { createStore } from 'zustand/vanilla'
import type { AttentionTarget } from '../../../shared/contract/attention'
import type { Topics } from '../../../shared/contract/contract'
import { showApproval } from '../approvals/approvals-mirror'
import { send } from '../host/calls'
import { client } from '../host/client'
import { frameLayout, showSide, showTerminal } from './frame-layout'
import { link } from '../host/link'
import { mirrorTopic } from '../host/mirror'
import { readSetting } from '../settings/settings-mirror'
import { showReview } from '../reviews/shown-review'
import { fileTab } from '../tabs/tabs-mirror'

type State = Topics['attention']['snapshot']
type Delta = Topics['attention']['delta']

/** How much waits for the person; `onDelta` also has the calls to them. */
export const attentionMirror = mirrorTopic(client, 'attention', {}, (state: State, delta: Delta): State =>
  delta.kind === 'waiting' ? { waiting: delta.waiting } : state,
)

/** Whether the browser allows notifications: `default` until the person has been asked. Electron doesn't ask. */
export const notificationPermission = createStore<{ state: NotificationPermission | 'unsupported' }>()(
  () => ({
    state: 'Notification' in globalThis ? Notification.permission : 'unsupported',
  }),
)

/** Asks the browser for permission. Call it only when the person has pressed something. */
export async function askForNotifications(): Promise<void> {
  notificationPermission.setState({ state: await Notification.requestPermission() })
}

/**
 * Tells the host whether the person is looking, and calls them if not: with a notification where the system has
 * not shown one, and with a sound if they want one. A click raises the window and shows what waits; no button gets
 * the focus by that. `selectTerminal` shows a terminal without the focus.
 */
export function runAttention(selectTerminal: (id: string) => void): void {
  const show = (target: AttentionTarget) => {
    switch (target.kind) {
      case 'review':
        showReview(target.review, false)
        frameLayout.narrowView.set('main')
        return
      case 'approval':
        showApproval(target.approval, false)
        frameLayout.narrowView.set('main')
        return
      case 'reviews':
        return showSide('reviews')
      case 'terminal':
        showTerminal()
        selectTerminal(target.terminal)
        return
      case 'file': {
        const tab = fileTab(target.path)
        if (tab) send('tabs.activate', { id: tab.id })
        frameLayout.narrowView.set('main')
      }
    }
  }
  attentionMirror.onDelta((delta) => {
    switch (delta.kind) {
      case 'waiting':
        return
      case 'show':
        return show(delta.target)
      case 'called':
        if (readSetting('attentionSound')) void playCall()
        if (!delta.told && readSetting('attentionNotify')) notify(delta, show)
    }
  })
  reportLooking()
}

function notify(
  { title, body, target }: Extract<Delta, { kind: 'called' }>,
  show: (target: AttentionTarget) => void,
) {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { body, tag: JSON.stringify(target) })
    notification.addEventListener('click', () => {
      window.focus()
      notification.close()
      show(target)
    })
  } catch {
    // Some browsers only show notifications from service workers.
  }
}

/** Reports whether the window is visible and focused, when that changes and after each new link. */
function reportLooking(): void {
  let told: boolean | null = null
  const tell = () => {
    const looking = document.visibilityState === 'visible' && document.hasFocus()
    if (looking === told || link.getState().state !== 'live') return
    told = looking
    send('attention.looking', { looking })
  }
  for (const name of ['focus', 'blur', 'pageshow']) window.addEventListener(name, tell)
  document.addEventListener('visibilitychange', tell)
  link.subscribe(({ state }) => {
    if (state !== 'live') told = null
    tell()
  })
  tell()
}

/** Plays two soft notes, 0.3 s in all. Silent until the browser allows the page to play sound. */
async function playCall(): Promise<void> {
  const audio = new AudioContext()
  try {
    await audio.resume()
    const gain = audio.createGain()
    gain.connect(audio.destination)
    const notes: [frequency: number, start: number][] = [
      [660, 0],
      [880, 0.12],
    ]
    gain.gain.setValueAtTime(0, audio.currentTime)
    for (const [frequency, start] of notes) {
      const at = audio.currentTime + start
      const note = audio.createOscillator()
      note.frequency.value = frequency
      note.connect(gain)
      gain.gain.linearRampToValueAtTime(0.12, at + 0.01)
      gain.gain.linearRampToValueAtTime(0, at + 0.11)
      note.start(at)
      note.stop(at + 0.12)
      if (start > 0) await new Promise((resolve) => note.addEventListener('ended', resolve, { once: true }))
    }
  } finally {
    await audio.close()
  }
}
