const waiting = new Set<() => Promise<unknown>>()

/** A part of the page that isn't in what is seen first: loads when it is first asked for, or by `loadLateParts`. */
export function latePart<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  const get = () => {
    waiting.delete(get)
    return (loading ??= load())
  }
  waiting.add(get)
  return get
}

/** Loads every part that nobody has asked for yet, one after the other, so that whoever asks for one need not wait for all. */
export async function loadLateParts(): Promise<void> {
  // Whoever asks for one that can't be loaded is told.
  for (const get of waiting) await get().catch(() => undefined)
}
