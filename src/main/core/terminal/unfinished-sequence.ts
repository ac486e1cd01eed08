/** ESC, and the 8-bit controls that begin a sequence by themselves. */
const introducers = ['\x1b', '\x90', '\x98', '\x9b', '\x9d', '\x9e', '\x9f']

/**
 * The end of a terminal's output that is an incomplete escape sequence, or ''. A screen that was fed all of the output
 * shows nothing of it yet; whoever continues from the screen must put it before what follows. Controls inside a
 * sequence are left out, because a terminal has obeyed them already. (Source: ECMA-48, and Paul Williams's description
 * of the parser in DEC's VT500.)
 */
export function unfinishedSequence(output: string): string {
  const begin = Math.max(...introducers.map((introducer) => output.lastIndexOf(introducer)))
  // An introducer cancels whatever was open before it, so only the last one can be unfinished.
  if (begin < 0) return ''
  const sequence = output.slice(begin)
  const kind = openKind(sequence)
  if (kind === null) return ''
  // In a control string BEL is an ordinary character; elsewhere it has rung already.
  const obeyed =
    kind === 'string' ? /[\x00-\x06\x08-\x17\x19\x1c-\x1f\x7f]/g : /[\x00-\x17\x19\x1c-\x1f\x7f]/g
  return sequence.replace(obeyed, '')
}

type Kind = 'escape' | 'control' | 'string' | 'title'

/** What kind of sequence is unfinished; null if it is complete. */
function openKind(sequence: string): Kind | null {
  let kind = kindOf(sequence.charAt(0))
  let isFirst = true
  for (let index = 1; index < sequence.length; index++) {
    const character = sequence.charAt(index)
    const code = sequence.charCodeAt(index)
    if (code === 0x18 || code === 0x1a) return null
    switch (kind) {
      case 'escape':
        // Controls between ESC and what follows it are obeyed and change nothing.
        if (code < 0x20 || code === 0x7f) break
        if (isFirst && 'PX^_[]'.includes(character)) kind = kindOf(character)
        else if (code >= 0x30) return null
        isFirst = false
        break
      case 'control':
        if (code >= 0x40 && code !== 0x7f) return null
        break
      case 'title':
        if (code === 0x07 || code === 0x9c) return null
        break
      case 'string':
        if (code === 0x9c) return null
        break
    }
  }
  return kind
}

function kindOf(character: string): Kind {
  switch (character) {
    case '\x1b':
      return 'escape'
    case '[':
    case '\x9b':
      return 'control'
    case ']':
    case '\x9d':
      return 'title'
    default:
      return 'string'
  }
}
