import { Bot, Braces } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { AgentPart } from '../../../../shared/contract/conversations'
import { FileIcon } from '../../../ui/labels/file-icon'
import { nameOfPath } from '../../../../shared/text/path-name'
import type { ComposerSources } from '../conversation-state'
import { mentionOf } from './mentions'
import type { Suggestion, TypedToken } from './suggestions'

const mostFiles = 8
const mostSymbols = 8
const mostAgents = 5

interface Files {
  letters: string
  found: readonly Suggestion[]
}

/** What can be mentioned that has the letters typed: files, names in open files, sub-agents. */
export function useMentions({
  token,
  sources,
  parts,
  folder,
}: {
  token: TypedToken | null
  sources: ComposerSources
  parts: readonly AgentPart[]
  folder: string | null
}): readonly Suggestion[] {
  const letters = token?.kind === 'mention' ? token.typed.slice(1) : null
  const [files, setFiles] = useState<Files | null>(null)
  const look = useEffectEvent(async (typed: string, isOver: () => boolean) => {
    const found = (await sources.files?.(typed)) ?? []
    if (isOver()) return
    setFiles({
      letters: typed,
      found: found.slice(0, mostFiles).map(({ path, text }) => ({
        key: `file ${path}`,
        name: nameOfPath(text),
        words: text.slice(0, Math.max(0, text.lastIndexOf('/'))),
        icon: <FileIcon name={text} />,
        text: `${mentionOf(path, folder)} `,
      })),
    })
  })
  useEffect(() => {
    if (letters === null) return
    let isOver = false
    void look(letters, () => isOver)
    return () => {
      isOver = true
    }
  }, [letters])
  // Walking through the open files takes a while: only when another letter is typed.
  const symbols = useMemo(
    () => (letters === null ? [] : symbolsOf(sources, letters, folder)),
    [sources, letters, folder],
  )
  if (letters === null) return []
  return [...filesOf(files, letters), ...symbols, ...agentsOf(parts, letters)]
}

/** Until those for all the letters are here, what was found for fewer of them, as far as it has these too. */
function filesOf(files: Files | null, letters: string): readonly Suggestion[] {
  if (files === null || files.letters === letters) return files?.found ?? []
  return files.found.filter(({ text }) => hasInOrder(text.toLowerCase(), letters.toLowerCase()))
}

function hasInOrder(text: string, letters: string): boolean {
  let at = -1
  return Array.from(letters).every((letter) => (at = text.indexOf(letter, at + 1)) >= 0)
}

function agentsOf(parts: readonly AgentPart[], letters: string): Suggestion[] {
  const entries = parts.find(({ id }) => id === 'agents')?.entries ?? []
  const wanted = letters.toLowerCase()
  return entries
    .filter(({ name }) => `agent-${name}`.toLowerCase().includes(wanted))
    .slice(0, mostAgents)
    .map(({ name, detail }) => ({
      ...{ key: `agent ${name}`, name: `agent-${name}`, words: detail, icon: <Bot /> },
      text: `@agent-${name} `,
    }))
}

/** Only once a letter is typed: without one they would stand above every file. */
function symbolsOf(sources: ComposerSources, letters: string, folder: string | null): Suggestion[] {
  if (letters === '' || !sources.symbols) return []
  const wanted = letters.toLowerCase()
  const seen = new Set<string>()
  const fitting = sources.symbols().filter(({ name, path }) => {
    if (!name.toLowerCase().startsWith(wanted) || seen.has(`${path} ${name}`)) return false
    seen.add(`${path} ${name}`)
    return true
  })
  return fitting.slice(0, mostSymbols).map(({ name, path, line }) => ({
    key: `symbol ${path} ${name}`,
    name,
    words: `${nameOfPath(path)}, line ${line + 1}`,
    icon: <Braces />,
    text: `${name} (${mentionOf(path, folder, line)}) `,
  }))
}
