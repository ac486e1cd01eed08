import { expect, test } from 'vitest'
import type { DocumentState } from '../../../shared/contract/documents'
import type { Documents } from '../../core/editing/documents'
import type { TextHandles } from '../text-handles'
import { documentHandlers } from './document-handlers'

test('a file that cannot be opened is told to the page, and the error to the log', async () => {
  const bug = new Error('bug')
  const documents = { open: () => Promise.reject(bug) } as unknown as Documents
  const logged: unknown[] = []
  const { topics } = documentHandlers({
    documents,
    texts: {} as TextHandles,
    report: (error) => logged.push(error),
  })
  const told = await new Promise<DocumentState>((resolve) => {
    topics.document({ path: '/a' }, { snapshot: resolve, delta: () => undefined })
  })
  expect(told).toMatchObject({ kind: 'failed', failure: { code: 'failed' } })
  expect(logged).toEqual([bug])
})
