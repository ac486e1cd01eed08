const parts: (() => Promise<unknown>)[] = []

/** A part of the page that isn't in what is seen first: loads when it is first asked for, or by `loadLateParts`. */
export function latePart<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  const get = () => (loading ??= load())
  parts.push(get)
  return get
}

/**
 * Loads every part, one after the other, so that whoever asks for one need not wait for all; says whether all of them are
 * there. One that couldn't be loaded comes only with the page loaded anew: React keeps what failed.
 */
export async function loadLateParts(): Promise<boolean> {
  let areAllThere = true
  for (const get of parts) {
    await get().catch(() => {
      areAllThere = false
    })
  }
  return areAllThere
}
