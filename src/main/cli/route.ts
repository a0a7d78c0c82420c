import { listRoutes, removeRoute, setRoute } from '../../clearinghouses/connector-store.ts'
import { connectorWord, organizationWord } from './commands/flags.ts'
import { type CommandLine, requireWord, UsageError } from './program/command-line.ts'
import { printObject, printTable } from './program/output.ts'
import { withConnectors } from './program/with-connectors.ts'

export async function set(line: CommandLine): Promise<void> {
  const organization = requireWord(line, 0, organizationWord.what)
  const { payerId, rest } = payerOf(line)
  const connector = requireWord(rest, 0, connectorWord.what)
  refuseMore(rest, 1)
  const { as } = line.flags
  if (payerId === undefined && as !== undefined) throw new UsageError('--as cannot be combined with --default')
  await withConnectors(
    organization,
    (deps, organizationId) =>
      setRoute(deps, {
        organizationId,
        connector,
        ...(payerId !== undefined && { payerId }),
        ...(typeof as === 'string' && { connectorPayerId: as }),
      }),
    { operation: 'route set', connector },
  )
  printObject(line, { payer_id: payerId ?? 'default', connector })
}

export async function list(line: CommandLine): Promise<void> {
  printTable(line, await withConnectors(requireWord(line, 0, organizationWord.what), listRoutes))
}

export async function remove(line: CommandLine): Promise<void> {
  const organization = requireWord(line, 0, organizationWord.what)
  const { payerId, rest } = payerOf(line)
  refuseMore(rest, 0)
  await withConnectors(organization, (deps, organizationId) => removeRoute(deps, organizationId, payerId), {
    operation: 'route remove',
  })
  printObject(line, { payer_id: payerId ?? 'default', removed: true })
}

/** The payer of the route, undefined with `--default`, and the words after it. */
function payerOf({ words, flags }: CommandLine): { payerId: string | undefined; rest: CommandLine } {
  if (flags.default) return { payerId: undefined, rest: { words: words.slice(1), flags } }
  const payerId = requireWord({ words, flags }, 1, 'a payer id, or --default')
  return { payerId, rest: { words: words.slice(2), flags } }
}

function refuseMore({ words, flags }: CommandLine, most: number): void {
  if (words.length <= most) return
  throw new UsageError(flags.default ? '--default cannot be combined with a payer id' : 'too many arguments')
}
