import { EventEmitter } from 'node:events'

/** Names that runtimes and inspectors look for on any object: their absence is an answer, not a mistake. */
const probed = new Set([
  'then',
  'toJSON',
  'inspect',
  'nodeType',
  'default',
  '__esModule',
  '$$typeof',
  'asymmetricMatch',
])

const subjectOf = Symbol('subject')

/** What a use of something the stand-in does not have throws. */
export function lack(name: string): Error {
  return new Error(`stand-in: ${name} is not implemented (see test/electron-stand-in/README.md)`)
}

/** A prototype on which a name that `base` lacks throws instead of being undefined. */
function guard(base: object, nameOf: (receiver: unknown) => string): object {
  return new Proxy(base, {
    get(target, key, receiver): unknown {
      if (typeof key === 'symbol' || key in target || probed.has(key))
        return Reflect.get(target, key, receiver)
      throw lack(`${nameOf(receiver)}.${key}`)
    },
  })
}

/** Makes every name that `offered` lacks throw with a sentence that starts with `subject`. */
export function strict<T extends object>(subject: string, offered: T): T {
  Object.setPrototypeOf(
    offered,
    guard(Object.prototype, () => subject),
  )
  return offered
}

/** The same for the static names of a class. */
export function strictStatics<T extends object>(subject: string, offered: T): T {
  const base: unknown = Object.getPrototypeOf(offered)
  Object.setPrototypeOf(
    offered,
    guard(base as object, () => subject),
  )
  return offered
}

/** The same for the instances of a class. */
export function strictInstances(subject: string, offered: { prototype: object }): void {
  const base: unknown = Object.getPrototypeOf(offered.prototype)
  Object.setPrototypeOf(
    offered.prototype,
    guard(base as object, () => subject),
  )
}

/**
 * An event emitter on which a missing name throws, and so does listening to an event that the stand-in never
 * sends: a listener that is never called would look like an app that works.
 */
export class StrictEmitter extends EventEmitter {
  readonly [subjectOf]: string
  readonly #events: ReadonlySet<string>

  constructor(subject: string, events: readonly string[]) {
    super()
    this[subjectOf] = subject
    this.#events = new Set([...events, 'newListener', 'removeListener'])
  }

  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    this.#check(event)
    return super.on(event, listener as (...args: unknown[]) => void)
  }

  override addListener(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.on(event, listener)
  }

  override once(event: string | symbol, listener: (...args: never[]) => void): this {
    this.#check(event)
    return super.once(event, listener as (...args: unknown[]) => void)
  }

  override prependListener(event: string | symbol, listener: (...args: never[]) => void): this {
    this.#check(event)
    return super.prependListener(event, listener as (...args: unknown[]) => void)
  }

  #check(event: string | symbol): void {
    if (typeof event === 'string' && !this.#events.has(event)) throw lack(`${this[subjectOf]}.on('${event}')`)
  }
}

Object.setPrototypeOf(
  StrictEmitter.prototype,
  guard(
    EventEmitter.prototype,
    (receiver) => (receiver as { [subjectOf]?: string })[subjectOf] ?? 'an emitter',
  ),
)

/** A whole class or module that the stand-in does not have: any use of it throws. */
export function lacking(name: string): object {
  const refuse = (): never => {
    throw lack(name)
  }
  return new Proxy(function () {}, {
    get(target, key, receiver): unknown {
      if (typeof key === 'symbol' || probed.has(key) || key === 'prototype')
        return Reflect.get(target, key, receiver)
      throw lack(`${name}.${key}`)
    },
    set: refuse,
    apply: refuse,
    construct: refuse,
  })
}
