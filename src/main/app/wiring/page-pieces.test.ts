import { expect, it } from 'vitest'
import { Tabs } from '../../core/editing/tabs'
import type { WindowHost } from '../window-host'
import { pieceHandlers } from './page-pieces'

it('listens to the tabs of a window once, however many pages it has had', () => {
  const tabs = new Tabs()
  let listening = 0
  const counted = {
    get state() {
      return tabs.state
    },
    on: (hear: Parameters<Tabs['on']>[0]) => {
      listening += 1
      return tabs.on(hear)
    },
  }
  const window = { tabs: counted } as unknown as WindowHost
  for (let page = 0; page < 3; page++) pieceHandlers(window)
  expect(listening).toBe(1)
})
