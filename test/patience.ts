import { vi } from 'vitest'

/** What a test waits for comes, or never does: a busy machine must not decide which. In milliseconds. */
const patience = 20_000
const waitFor = vi.waitFor.bind(vi)

vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout: patience, ...(typeof options === 'number' ? { timeout: options } : options) })
