import { StrictEmitter, strictStatics } from './strict'

type Offered = 'title' | 'body' | 'silent' | 'subtitle' | 'urgency' | 'timeoutType' | 'show' | 'close'

/** The notifications that are shown now, oldest first, for tests: `emit('click')` clicks one. */
export const shownNotifications: StandInNotification[] = []

/** Electron's `Notification`; nobody sees it. */
export class StandInNotification extends StrictEmitter implements Pick<Electron.Notification, Offered> {
  title: string
  body: string
  subtitle: string
  silent: boolean
  urgency: Electron.Notification['urgency']
  timeoutType: Electron.Notification['timeoutType']

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super('Notification', ['show', 'click', 'close', 'failed'])
    this.title = options.title ?? ''
    this.body = options.body ?? ''
    this.subtitle = options.subtitle ?? ''
    this.silent = options.silent ?? false
    this.urgency = options.urgency ?? 'normal'
    this.timeoutType = options.timeoutType ?? 'default'
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    if (!shownNotifications.includes(this)) shownNotifications.push(this)
    this.emit('show', {})
  }

  close(): void {
    const at = shownNotifications.indexOf(this)
    if (at < 0) return
    shownNotifications.splice(at, 1)
    this.emit('close', {})
  }
}

strictStatics('Notification', StandInNotification)
