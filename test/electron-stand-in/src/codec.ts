// Structured clone over a string of JSON, which is also a JavaScript literal (no object literals with foreign
// keys, so no `__proto__`). The same code runs in Node and in the preload's world.

type Plain = string | number | boolean | null
type Node = Plain | [tag: string, ...parts: unknown[]]

/** References below zero stand for values that JSON does not have. */
const constants: readonly unknown[] = ['nothing has this place', undefined, NaN, Infinity, -Infinity, -0]

/** Refused values get the words that Electron uses. */
export class CloneRefusal extends Error {
  constructor() {
    super('An object could not be cloned.')
  }
}

const isSimple = (value: unknown): value is Plain =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))

/**
 * Packs arguments for the way between processes. Cycles and shared references are kept.
 * @throws CloneRefusal for what structured clone refuses (functions, symbols, DOM nodes) and for platform objects
 */
export function pack(values: readonly unknown[]): string {
  if (values.every(isSimple)) return JSON.stringify(values)
  return JSON.stringify({ graph: packGraph(values) })
}

/** The reverse of `pack`, on its parsed JSON. */
export function unpack(packed: unknown): unknown[] {
  if (Array.isArray(packed)) return packed
  const { graph } = packed as { graph: [number, Node[]] }
  return unpackGraph(...graph) as unknown[]
}

function packGraph(values: readonly unknown[]): [number, Node[]] {
  let value: unknown
  try {
    value = structuredClone(values)
  } catch {
    throw new CloneRefusal()
  }
  const nodes: Node[] = []
  const seen = new Map<object, number>()
  const put = (item: unknown): number => {
    const constant = constants.findIndex((known, at) => at > 0 && Object.is(known, item))
    if (constant > 0) return -constant
    if (typeof item === 'object' && item !== null) {
      const before = seen.get(item)
      if (before !== undefined) return before
      seen.set(item, nodes.length)
    }
    const at = nodes.push(null) - 1
    nodes[at] = describe(item, put)
    return at
  }
  return [put(value), nodes]
}

function describe(item: unknown, put: (part: unknown) => number): Node {
  if (isSimple(item)) return item
  if (typeof item === 'bigint') return ['bigint', String(item)]
  if (Array.isArray(item)) return ['array', item.map(put)]
  if (item instanceof Date) return ['date', item.getTime()]
  if (item instanceof RegExp) return ['regexp', item.source, item.flags]
  if (item instanceof Map) return ['map', [...item].map(([key, entry]) => [put(key), put(entry)])]
  if (item instanceof Set) return ['set', [...item].map(put)]
  if (item instanceof Error) return ['error', item.name, item.message, item.stack ?? '']
  if (item instanceof ArrayBuffer) return ['buffer', toBase64(new Uint8Array(item))]
  if (ArrayBuffer.isView(item)) {
    const bytes = new Uint8Array(item.buffer, item.byteOffset, item.byteLength)
    return [
      'view',
      item.constructor.name === 'Buffer' ? 'Uint8Array' : item.constructor.name,
      toBase64(bytes),
    ]
  }
  if (typeof item === 'object' && item !== null && Object.getPrototypeOf(item) === Object.prototype) {
    return ['object', Object.entries(item).map(([key, entry]) => [key, put(entry)])]
  }
  throw new CloneRefusal()
}

function unpackGraph(top: number, nodes: Node[]): unknown {
  const made = new Map<number, unknown>()
  const keep = <T>(at: number, value: T): T => {
    made.set(at, value)
    return value
  }
  const get = (at: number): unknown => {
    if (at < 0) return constants[-at]
    if (made.has(at)) return made.get(at)
    const node = nodes[at]
    if (!Array.isArray(node)) return keep(at, node)
    const [tag, first, second, third] = node
    switch (tag) {
      case 'bigint':
        return keep(at, BigInt(first as string))
      case 'array': {
        const list = keep<unknown[]>(at, [])
        for (const part of first as number[]) list.push(get(part))
        return list
      }
      case 'date':
        return keep(at, new Date((first as number | null) ?? NaN))
      case 'regexp':
        return keep(at, new RegExp(first as string, second as string))
      case 'map': {
        const map = keep(at, new Map())
        for (const [key, entry] of first as [number, number][]) map.set(get(key), get(entry))
        return map
      }
      case 'set': {
        const set = keep(at, new Set())
        for (const part of first as number[]) set.add(get(part))
        return set
      }
      case 'error': {
        const error = keep(at, new Error(second as string))
        error.name = first as string
        error.stack = third as string
        return error
      }
      case 'buffer':
        return keep(at, fromBase64(first as string).buffer)
      case 'view': {
        const { buffer } = fromBase64(second as string)
        const View = (globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>)[
          first as string
        ]
        if (!View) throw new CloneRefusal()
        return keep(at, new View(buffer))
      }
      case 'object': {
        const object = keep<Record<string, unknown>>(at, {})
        for (const [key, entry] of first as [string, number][]) {
          Object.defineProperty(object, key, {
            value: get(entry),
            writable: true,
            enumerable: true,
            configurable: true,
          })
        }
        return object
      }
      default:
        throw new CloneRefusal()
    }
  }
  return get(top)
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
