import type { ContextFile, ContextState } from '../../src/shared/contract/context'

const nothing: ContextState = {
  sharing: { all: true, selection: true, files: true },
  selection: null,
  latest: null,
  files: [],
  denyRules: [],
  problems: [],
  sent: [],
}

/** What agents see, by scene: nothing, a usual moment, or a hard one with long and foreign names. */
export function sampleContext(root: string, scene: string): ContextState {
  if (scene === 'empty') return nothing
  const file = (name: string, folder: string, more: Partial<ContextFile> = {}): ContextFile => ({
    path: [root, folder, name].filter(Boolean).join('/'),
    name,
    folder,
    isActive: false,
    withheld: null,
    ...more,
  })
  const seconds = (ago: number) => Date.now() - ago * 1000
  const claude = { connection: 'c1', agent: 'Claude', how: 'told' } as const
  const thermostat = file('thermostat.ts', 'src/climate', { isActive: true })
  const text = 'export function hold(target: number): void {\n  heater.set(target)\n}'
  const place = { start: { line: 11, character: 0 }, end: { line: 13, character: 1 } }
  return {
    ...nothing,
    selection: { ...thermostat, ...place, text, length: text.length, withheld: null },
    files: [
      thermostat,
      file('README.md', ''),
      file('.env.local', 'src', { withheld: { kind: 'excluded', rule: '.env*', file: null } }),
      file('تقرير المناخ.md', 'docs/نصوص'),
      file(
        'a-very-long-name-of-a-generated-file-that-nobody-would-type.snapshot.generated.test.ts',
        'packages/greenhouse-controller/src/generated/snapshots/of/everything',
      ),
      file('token.txt', 'secrets', {
        withheld: { kind: 'excluded', rule: 'Read(./secrets/**)', file: `${root}/.claude/settings.json` },
      }),
    ],
    denyRules: [
      { rule: 'Read(./secrets/**)', file: `${root}/.claude/settings.json` },
      { rule: 'Read(~/.aws/**)', file: '/home/ada/.claude/settings.json' },
    ],
    sent: [
      {
        ...claude,
        id: 1,
        at: seconds(340),
        item: { kind: 'cursor', path: `${root}/README.md`, at: place.end },
      },
      {
        ...claude,
        id: 2,
        at: seconds(200),
        how: 'asked',
        item: { kind: 'files', paths: [thermostat.path, `${root}/README.md`] },
      },
      {
        ...claude,
        id: 3,
        at: seconds(95),
        item: { kind: 'mention', path: `${root}/README.md`, lines: { first: 2, last: 6 } },
      },
      { ...claude, id: 4, at: seconds(50), item: { kind: 'nothing' } },
      {
        ...claude,
        id: 5,
        at: seconds(12),
        item: { kind: 'selection', path: thermostat.path, ...place, text, length: text.length },
      },
    ],
  }
}
