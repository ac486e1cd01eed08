/** The event object that Electron gives to listeners. `details` become its members. */
export type Preventable<Details extends object = object> = Electron.Event<Details>

/** Makes an event whose default a listener can prevent. */
export function preventable<Details extends object>(details: Details): Preventable<Details> {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault(): void {
      event.defaultPrevented = true
    },
  }
  return event
}
