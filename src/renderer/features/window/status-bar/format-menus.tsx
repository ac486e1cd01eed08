import type { ReactNode } from 'react'
import { ask } from '../../../state/host/calls'
import type { EditorStatus, Indentation } from '../../../state/tabs/editor-status'
import { Menu, MenuChoice, MenuGap, MenuHeading, MenuItem } from '../../../ui/overlays/menu'

function FormatMenu({ label, words, children }: { label: string; words: string; children: ReactNode }) {
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <button type="button" className="status-item row" aria-label={`${label}: ${words}`}>
          {words}
        </button>
      }
    >
      {children}
    </Menu>
  )
}

function indentationWords({ style, size }: Indentation): string {
  return style === 'tab' ? `Tabs: ${size}` : `Spaces: ${size}`
}

/** The indentation of the shown editor, and others to choose from. */
export function IndentationMenu({ status }: { status: EditorStatus }) {
  const { indentation, setIndentation } = status
  const choice = (style: 'space' | 'tab', size: number) => (
    <MenuChoice
      key={size}
      checked={indentation.style === style && indentation.size === size}
      onCheckedChange={() => setIndentation({ style, size, from: 'person' })}
    >
      {indentationWords({ style, size, from: 'person' })}
    </MenuChoice>
  )
  const source = {
    file: 'Detected from file',
    editorconfig: 'From .editorconfig',
    person: 'Chosen here',
  }[indentation.from]
  return (
    <FormatMenu label="Indentation" words={indentationWords(indentation)}>
      <MenuHeading>{source}</MenuHeading>
      {[2, 3, 4, 8].map((size) => choice('space', size))}
      <MenuGap />
      {[2, 4, 8].map((size) => choice('tab', size))}
    </FormatMenu>
  )
}

const lineEnds: Record<EditorStatus['eol'], string> = {
  lf: 'LF',
  crlf: 'CRLF',
  cr: 'CR',
  mixed: 'Mixed',
}

/** The text's line endings, and others to choose from, which the next save writes. */
export function LineEndMenu({ status }: { status: EditorStatus }) {
  const { path, eol, guessed } = status
  return (
    <FormatMenu label="Line endings" words={lineEnds[eol]}>
      <MenuHeading>{guessed ? 'Confirm the encoding first' : 'Applied on next save'}</MenuHeading>
      {(['lf', 'crlf', 'cr'] as const).map((kind) => (
        <MenuChoice
          key={kind}
          checked={eol === kind}
          onCheckedChange={() => {
            if (!guessed) void ask('documents.reformat', { path, eol: kind })
          }}
        >
          {lineEnds[kind]}
        </MenuChoice>
      ))}
    </FormatMenu>
  )
}

const encodings: Record<EditorStatus['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'latin-1': 'Latin-1',
}

function encodingWords({ encoding, bom, guessed }: EditorStatus): string {
  const name = encodings[encoding]
  // UTF-16 usually has a BOM, so only a missing one is said.
  if (encoding.startsWith('utf-16')) return bom ? name : `${name} without BOM`
  return `${name}${bom ? ' with BOM' : ''}${guessed ? ' (a guess)' : ''}`
}

/** The text's encoding, and others to reopen it in or save it with. */
export function EncodingMenu({ status }: { status: EditorStatus }) {
  const { path, encoding, bom, guessed, dirty } = status
  const kinds = ['utf-8', 'utf-16le', 'utf-16be', 'latin-1'] as const
  return (
    <FormatMenu label="Encoding" words={encodingWords(status)}>
      <MenuHeading>{dirty ? 'Save first' : 'Reopen with encoding'}</MenuHeading>
      {kinds.map((kind) => (
        <MenuItem
          key={kind}
          label={`Reopen as ${encodings[kind]}`}
          disabled={dirty}
          onSelect={() => void ask('documents.reopen', { path, encoding: kind })}
        >
          {encodings[kind]}
        </MenuItem>
      ))}
      <MenuGap />
      <MenuHeading>{guessed ? 'Reopen first' : 'Save with encoding'}</MenuHeading>
      {kinds.map((kind) => (
        <MenuItem
          key={kind}
          label={`Save as ${encodings[kind]}`}
          disabled={guessed || (encoding === kind && !bom)}
          onSelect={() =>
            void ask('documents.reformat', { path, encoding: kind, bom: kind.startsWith('utf-16') })
          }
        >
          {encodings[kind]}
        </MenuItem>
      ))}
      <MenuItem
        label="Save as UTF-8 with BOM"
        disabled={guessed || (encoding === 'utf-8' && bom)}
        onSelect={() => void ask('documents.reformat', { path, encoding: 'utf-8', bom: true })}
      >
        UTF-8 with BOM
      </MenuItem>
    </FormatMenu>
  )
}
