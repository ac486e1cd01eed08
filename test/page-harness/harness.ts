import { builtPage } from '../built-page'

/** Specs on the whole page with a scripted host; the scene of work is what opens if none is named. */
export const test = builtPage('page-harness', 'scene=work')

export { expect } from '@playwright/test'
