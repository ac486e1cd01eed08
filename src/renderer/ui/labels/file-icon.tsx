import { File, FileCode, FileImage, FileJson, FileText, FileTerminal } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

const byEnding: Record<string, LucideIcon> = {}
const add = (icon: LucideIcon, endings: string) => {
  for (const ending of endings.split(' ')) byEnding[ending] = icon
}
add(
  FileCode,
  'ts tsx js jsx mjs cjs mts cts py rs go c h cc cpp hpp java kt swift rb php cs css scss html vue svelte xml sql zig lua',
)
add(FileJson, 'json jsonc json5 yaml yml toml lock ini')
add(FileText, 'md mdx txt rst adoc log csv tsv license')
add(FileImage, 'png jpg jpeg gif svg webp ico bmp avif')
add(FileTerminal, 'sh bash zsh fish ps1 bat cmd')

/** A file's icon, by its name. Decoration only: show the name beside it. */
export function FileIcon({ name }: { name: string }) {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  const Icon = byEnding[ending] ?? File
  return <Icon aria-hidden="true" strokeWidth={1.5} />
}
