import { catchStrayErrors } from '../src/main/core/platform/stray-errors'

/** A program for a test: lets errors go astray, and says what was made of them. Named `early`, before anybody listens. */
const isEarly = process.argv[2] === 'early'
const heard: string[] = []
const hear = (event: string, fields: unknown) => void heard.push(`${event} ${JSON.stringify(fields)}`)
const say = () => process.stdout.write(JSON.stringify(heard), () => process.exit())
catchStrayErrors({
  log: { info: hear, warn: hear, error: (event, fields) => hear(event, Object.keys(fields ?? {})) },
  tell: (sentence) => {
    if (isEarly) return false
    heard.push(sentence)
    // Telling fails too, once.
    if (heard.length === 2) throw new Error('nobody there')
    return true
  },
  end: () => {
    heard.push('end')
    say()
  },
})
setImmediate(() => {
  setImmediate(() => {
    void Promise.reject(new Error('rejected'))
    setImmediate(() => {
      setImmediate(() => (isEarly ? undefined : say()))
      throw new Error('thrown')
    })
  })
  throw new TypeError('thrown first')
})
