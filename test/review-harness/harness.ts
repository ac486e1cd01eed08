import { builtPage } from '../built-page'
import type { FakeHost } from './fake-host'

declare global {
  interface Window {
    reviewHost: FakeHost
    show(id: string | null): void
    activate(isActive: boolean): void
  }
}

/** Specs on the review alone. */
export const test = builtPage('review-harness')

export { expect } from '@playwright/test'
