import { type LaunchedProgram, type Wrapper, quoteForShell, wrapperMark } from '../../core/platform/launchers'

/** Of a terminal: the path of settings that its Claude Code is to have beside the person's. Unset: none. */
export const settingsVariable = 'GREENLIGHT_CLAUDE_SETTINGS'

/** The word of the command `greenlight` that merges these settings into others; people don't type it. */
export const mergeOption = '--merge-claude-settings'

/**
 * What stands before `claude` on the PATH of terminals. It finds the person's own, passes every word on, and is replaced
 * by it, so process, terminal, signals and exit code are Claude Code's. Settings go first, where a subcommand or `--` can
 * follow. Of several `--settings` Claude Code takes the last (measured with 2.1.330), so the person's is merged with ours;
 * if that fails, Claude Code gets their words unchanged and says what is wrong.
 */
export const claudeWrapper: Wrapper = { command: 'claude', unix: unixWrapper, windows: windowsWrapper }

function unixWrapper({ node, script }: LaunchedProgram): string {
  const merge = `ELECTRON_RUN_AS_NODE=1 ${[node, script, mergeOption].map(quoteForShell).join(' ')}`
  return `#!/bin/sh
# Written by Greenlight at each of its starts: Claude Code, with what Greenlight reviews.
real=
rest=\${PATH:+$PATH:}
while [ -n "$rest" ]; do
  dir=\${rest%%:*}
  rest=\${rest#*:}
  [ -n "$dir" ] || dir=.
  if [ -e "$dir/${wrapperMark}" ]; then continue; fi
  if [ -f "$dir/claude" ] && [ -x "$dir/claude" ]; then real=$dir/claude; break; fi
done
if [ -z "$real" ]; then
  echo "greenlight: claude isn’t on your PATH. Install it with: npm install -g @anthropic-ai/claude-code" >&2
  exit 127
fi
[ -n "\${${settingsVariable}-}" ] || exec "$real" "$@"
given=
asked=
for word in "$@"; do
  if [ "$asked" = next ]; then
    given=$word asked=yes
    continue
  fi
  case $word in
    --) break ;;
    --settings) asked=next ;;
    --settings=*) given=\${word#--settings=} asked=yes ;;
  esac
done
case $asked in
  '') exec "$real" --settings "$${settingsVariable}" "$@" ;;
  next) exec "$real" "$@" ;;
esac
merged=$(${merge} "$${settingsVariable}" "$given" "$$") || exec "$real" "$@"
left=$#
over=
skip=
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  if [ -n "$over" ]; then
    set -- "$@" "$word"
  elif [ -n "$skip" ]; then
    skip=
  else
    case $word in
      --) over=1; set -- "$@" "$word" ;;
      --settings) skip=1 ;;
      --settings=*) ;;
      *) set -- "$@" "$word" ;;
    esac
  fi
done
exec "$real" --settings "$merged" "$@"
`
}

/** Not tried. The person's own `--settings` comes later there, and counts alone. */
function windowsWrapper(): string {
  return [
    '@echo off',
    'rem Written by Greenlight at each of its starts: Claude Code, with what Greenlight reviews.',
    'setlocal',
    'set "real="',
    'for %%n in (claude.exe claude.cmd) do for /f "delims=" %%p in (\'where %%n 2^>nul\') do (',
    `  if not defined real if not exist "%%~dpp${wrapperMark}" set "real=%%p"`,
    ')',
    'if not defined real (',
    '  echo greenlight: claude is not on your PATH. Install it with: npm install -g @anthropic-ai/claude-code>&2',
    '  exit /b 127',
    ')',
    `if defined ${settingsVariable} (call "%real%" --settings "%${settingsVariable}%" %*) else (call "%real%" %*)`,
    'exit /b %ERRORLEVEL%',
    '',
  ].join('\r\n')
}
