// Completion scripts, generated from the declarations: the same words, flags and values that the program accepts.
import { type Declaration, type FlagDeclaration, flatten, isGroup } from './declaration.ts'
import { print } from './output.ts'

export const bash = (all: readonly Declaration[]) => print(bashScript(all))
export const zsh = (all: readonly Declaration[]) => print(zshScript(all))

/** The possible words after those that were typed, and the possible values of a flag. */
interface Table {
  /** `client` → `create list …`; the empty path is the program itself. */
  words: Map<string, string[]>
  /** Paths whose next word may be a file. */
  files: string[]
  /** `connector create --kind` → `core stedi availity`, or undefined when any value is possible. */
  values: Map<string, string[] | undefined>
  fileValues: string[]
}

function tabulate(all: readonly Declaration[]): Table {
  const table: Table = { words: new Map(), files: [], values: new Map(), fileValues: [] }
  const groups = all.filter(isGroup)
  table.words.set('', [...all.map(({ name }) => name), 'help', '--help', '--version'])
  for (const { name, commands } of groups) table.words.set(name, [...commands.map((each) => each.name), '--help'])
  table.words.set(
    'help',
    all.map(({ name }) => name),
  )
  for (const { path, command } of flatten(all)) {
    const aliases = command.alias ? [path.replace(/\S+$/, command.alias)] : []
    for (const each of [path, ...aliases]) addCommand(table, each, command)
  }
  return table
}

function addCommand(
  table: Table,
  path: string,
  { words = [], flags = {} }: ReturnType<typeof flatten>[0]['command'],
): void {
  table.words.set(path, [...Object.keys(flags).map((flag) => `--${flag}`), '--help'])
  if (words.some(({ isFile }) => isFile)) table.files.push(path)
  for (const [flag, declared] of Object.entries(flags)) addFlag(table, `${path} --${flag}`, declared)
}

function addFlag(table: Table, place: string, { value, choices, isFile }: FlagDeclaration): void {
  if (value === undefined) return
  if (isFile) table.fileValues.push(place)
  else table.values.set(place, choices && [...choices])
}

const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(' | ')
const casesOf = (lists: Iterable<[string, string[] | undefined]>) =>
  [...lists].map(([key, list = []]) => `    '${key}') words='${list.join(' ')}' ;;`)

/** The part that both shells share: finds the command among the preceding words, and what may follow it. */
function lookup(table: Table): string {
  const paths = [...table.words.keys()].filter((path) => path !== '' && path !== 'help')
  return `  for word in "\${before[@]}"; do
    case "\${path:+$path }$word" in
    ${quoted([...paths, 'help'])}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $previous" in
    ${quoted([...table.fileValues])}) files=1; words=''; found=1 ;;
${[...table.values].map(([key, list = []]) => `    '${key}') words='${list.join(' ')}'; found=1 ;;`).join('\n')}
  esac
  if [ -z "$found" ]; then
    case "$path" in
${casesOf(table.words).join('\n')}
    esac
    case "$path" in
    ${quoted(table.files)}) files=1 ;;
    esac
  fi`
}

export function bashScript(all: readonly Declaration[]): string {
  return `# Completion of anteroom for bash: source <(anteroom completion bash)
_anteroom() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  local path='' word='' words='' files='' found=''
${lookup(tabulate(all))}
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
    compgen -W "$words" -- "$current" || true
    if [ -n "$files" ]; then compgen -f -- "$current" || true; fi
  )
}
complete -o filenames -F _anteroom anteroom`
}

export function zshScript(all: readonly Declaration[]): string {
  return `#compdef anteroom
# Completion of anteroom for zsh: a file named _anteroom in a folder of $fpath.
_anteroom() {
  local previous="\${words[CURRENT-1]}"
  local -a before=("\${(@)words[2,CURRENT-1]}")
  local path_='' word='' found='' files='' choices=''
${lookup(tabulate(all))
  .replaceAll(/\bpath\b/g, 'path_')
  .replaceAll(/\bwords=/g, 'choices=')}
  [ -n "$choices" ] && compadd -- \${=choices}
  if [ -n "$files" ]; then _files; fi
}
if [ "$funcstack[1]" = _anteroom ]; then _anteroom "$@"; else compdef _anteroom anteroom; fi`
}
