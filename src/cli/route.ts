import { listRoutes, removeRoute, setRoute } from '../clearinghouses/connector-store.ts'
import { type CommandLine, printObject, printTable, requireWord, UsageError } from './command-line.ts'
import { withConnectors } from './with-connectors.ts'

const ORGANIZATION = 'an organization (id or name)'
const PAYER = 'a payer id, or --default'

export async function route(line: CommandLine): Promise<void> {
  const payerId = line.flags.default ? undefined : line.words[2]
  const shown = payerId ?? 'default'
  switch (line.words[0]) {
    case 'set': {
      const organization = requireWord(line, 1, ORGANIZATION)
      if (!line.flags.default) requireWord(line, 2, PAYER)
      const connector = requireWord(line, line.flags.default ? 2 : 3, 'the name of a connector')
      const { as } = line.flags
      if (line.flags.default && as !== undefined) throw new UsageError('--as goes with one payer, not with --default')
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
      return printObject(line, { payer_id: shown, connector })
    }
    case 'list':
      return printTable(line, await withConnectors(requireWord(line, 1, ORGANIZATION), listRoutes))
    case 'remove': {
      const organization = requireWord(line, 1, ORGANIZATION)
      if (!line.flags.default) requireWord(line, 2, PAYER)
      await withConnectors(organization, (deps, organizationId) => removeRoute(deps, organizationId, payerId), {
        operation: 'route remove',
      })
      return printObject(line, { payer_id: shown, removed: true })
    }
    default:
      throw new UsageError('route takes set, list or remove')
  }
}
