import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FaultBoundary } from './fault-boundary'

test('a part that throws leaves a sentence and a way on in its place', () => {
  const boundary = new FaultBoundary({ children: 'the part' })
  expect(boundary.render()).toBe('the part')
  boundary.state = FaultBoundary.getDerivedStateFromError()
  const html = renderToStaticMarkup(boundary.render() as ReactElement)
  expect(html).toContain('Greenlight couldn’t show this')
  expect(html).toContain('Try again')
  expect(html).not.toContain('the part')
})
