import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Done, fail, succeed } from '../../../shared/result'
import { privateFolderMode } from '../platform/file-modes'

/**
 * Keeps a folder first on PATH in the person's shell: at every prompt, whatever profiles and tools have put before it.
 * The person's own files are read as usual and never changed, and their aliases and functions stay as they are.
 */

/** What a shell is started with. */
export interface ShellStart {
  args: readonly string[]
  env: Record<string, string>
}

/** Tells the files below which folder it is. */
const frontVariable = 'GREENLIGHT_WRAPPERS'
/** Where the person's own value is kept, if a file below is found by changing that variable. */
const before = { zsh: 'GREENLIGHT_ZDOTDIR', fish: 'GREENLIGHT_XDG_DATA_DIRS' }
const loginVariable = 'GREENLIGHT_LOGIN_SHELL'
/** Where fish looks if XDG_DATA_DIRS isn't set, by the XDG base directory specification. */
const usualDataFolders = '/usr/local/share:/usr/share'

const paths = {
  bash: join('bash', 'rc'),
  zsh: join('zsh', '.zshenv'),
  fish: join('fish', 'vendor_conf.d', 'greenlight.fish'),
}

/** Where a data directory has the files that shells read. */
export function shellFilesIn(dataDirectory: string): string {
  return join(dataDirectory, 'shell')
}

/** Writes the files that shells read into a folder of their own. Fails as `no-shell-files`. */
export function writeShellFiles(folder: string): Done {
  try {
    for (const [name, text] of Object.entries(texts)) {
      const path = join(folder, paths[name as keyof typeof texts])
      mkdirSync(dirname(path), { recursive: true, mode: privateFolderMode })
      // Another shell may be starting: it finds the old file or the new one.
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    }
    return succeed({})
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return fail('no-shell-files', `Shells can’t keep Greenlight’s programs first on PATH (${code}).`)
  }
}

/**
 * How to start a shell so that `front` stays first on its PATH; `files` is where `writeShellFiles` has written. An
 * unknown shell is started unchanged.
 */
export function integrateShell(
  program: string,
  { args, env }: ShellStart,
  { front, files }: { front: string; files: string },
): ShellStart {
  const shell = basename(program)
  if (!isKnown(shell) || !existsSync(join(files, paths[shell]))) return { args, env }
  const more = { ...env, [frontVariable]: front }
  switch (shell) {
    case 'bash': {
      // As a login shell, bash would ignore our file; so it isn't started as one, and our file reads what it would have.
      const isLogin = args.includes('-l')
      return {
        args: ['--rcfile', join(files, paths.bash), ...args.filter((one) => one !== '-l')],
        env: isLogin ? { ...more, [loginVariable]: '1' } : more,
      }
    }
    case 'zsh': {
      const { ZDOTDIR: theirs } = env
      const added = theirs ? { [before.zsh]: theirs } : {}
      return { args, env: { ...more, ...added, ZDOTDIR: join(files, 'zsh') } }
    }
    case 'fish': {
      const { XDG_DATA_DIRS: theirs } = env
      const added = theirs ? { [before.fish]: theirs } : {}
      return { args, env: { ...more, ...added, XDG_DATA_DIRS: `${files}:${theirs || usualDataFolders}` } }
    }
  }
}

function isKnown(shell: string): shell is keyof typeof paths {
  return Object.hasOwn(paths, shell)
}

const texts = {
  bash: `# Written by Greenlight. bash reads this in place of your ~/.bashrc, which it reads first.
if [ -n "\${${loginVariable}-}" ]; then
  unset ${loginVariable}
  [ -r /etc/profile ] && . /etc/profile
  if [ -r ~/.bash_profile ]; then
    . ~/.bash_profile
  elif [ -r ~/.bash_login ]; then
    . ~/.bash_login
  elif [ -r ~/.profile ]; then
    . ~/.profile
  fi
elif [ -r ~/.bashrc ]; then
  . ~/.bashrc
fi
__greenlight_path() {
  local result=$? rest
  [ -n "\${${frontVariable}-}" ] || return $result
  case $PATH in
    "$${frontVariable}" | "$${frontVariable}":*) ;;
    *)
      rest=":$PATH:"
      rest=\${rest//":$${frontVariable}:"/:}
      rest=\${rest#:}
      PATH=$${frontVariable}:\${rest%:}
      ;;
  esac
  return $result
}
if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
  PROMPT_COMMAND+=(__greenlight_path)
else
  # On a line of its own: theirs may end in a semicolon.
  PROMPT_COMMAND="\${PROMPT_COMMAND:+$PROMPT_COMMAND
}__greenlight_path"
fi
`,
  zsh: `# Written by Greenlight. zsh reads this in place of your .zshenv, and all that follows as always.
if [[ -n \${${before.zsh}-} ]]; then
  export ZDOTDIR=$${before.zsh}
else
  unset ZDOTDIR
fi
unset ${before.zsh}
# A system may say where your files are unless that is said already, as it was by us.
for __greenlight_file in /etc/zshenv /etc/zsh/zshenv; do
  [[ -r $__greenlight_file && "$(<$__greenlight_file)" == *ZDOTDIR* ]] && source $__greenlight_file
done
unset __greenlight_file
[[ -r "\${ZDOTDIR:-$HOME}/.zshenv" ]] && source "\${ZDOTDIR:-$HOME}/.zshenv"
if [[ -o interactive ]]; then
  __greenlight_path() {
    emulate -L zsh
    [[ -z $${frontVariable} || \${path[1]} == $${frontVariable} ]] || path=($${frontVariable} \${path:#$${frontVariable}})
  }
  precmd_functions+=(__greenlight_path)
fi
`,
  fish: `# Written by Greenlight; fish reads it beside your own files.
if set -q ${frontVariable}
    if set -q ${before.fish}
        set -gx XDG_DATA_DIRS $${before.fish}
        set -e ${before.fish}
    else
        set -e XDG_DATA_DIRS
    end
    function __greenlight_path --on-event fish_prompt
        test "$PATH[1]" = "$${frontVariable}"
        or not set -q ${frontVariable}
        or set -gx PATH $${frontVariable} (string match --invert -- $${frontVariable} $PATH)
    end
end
`,
}
