import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../clearinghouses/json-values.ts'
import type { Answered } from '../answer-core.ts'
import { comparable } from '../find-member.ts'
import type { Roster, RosterPayer } from '../roster.ts'
import { replyWithFaults, replyWithJson } from './json-replies.ts'

const PAGE_SIZE_MIN = 10
const PAGE_SIZE_MAX = 100
const SEARCH_PAGE_SIZE = 20

/** Every payer by name; all of them unless a page size is given. Source: clearinghouse.md A6. */
export function listPayers(roster: Roster, query: URLSearchParams): Answered {
  const payers = roster.payers.map(describePayer).sort((a, b) => (`${a.displayName}` < `${b.displayName}` ? -1 : 1))
  return page(payers, query, payers.length, (items) => ({ items }))
}

/** Payers whose name, other names or ids contain the query, the best first. */
export function searchPayers(roster: Roster, query: URLSearchParams): Answered {
  const wanted = comparable(query.get('query') ?? '')
  const found = roster.payers
    .map((payer) => ({ score: scoreOf(payer, wanted), payer: describePayer(payer) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  return page(found, query, SEARCH_PAGE_SIZE, (items) => ({ items, stats: { total: found.length } }))
}

function scoreOf(payer: RosterPayer, wanted: string): number {
  const known = [payer.id, payer.name, ...(payer.aliases ?? []), ...(payer.names ?? [])].map(comparable)
  if (known.includes(wanted)) return 10
  if (known.some((each) => each.startsWith(wanted))) return 5
  return known.some((each) => each.includes(wanted)) ? 1 : 0
}

function page<Item extends object>(
  items: Item[],
  query: URLSearchParams,
  otherwise: number,
  describe: (items: Item[]) => JsonObject,
): Answered {
  const pageSize = query.get('pageSize')
  const size = pageSize === null ? otherwise : Number(pageSize)
  const start = Number(query.get('pageToken') ?? 0)
  if (pageSize !== null && !(Number.isInteger(size) && size >= PAGE_SIZE_MIN && size <= PAGE_SIZE_MAX))
    return refuse('/pageSize', `Member must be between ${PAGE_SIZE_MIN} and ${PAGE_SIZE_MAX}`)
  if (!Number.isInteger(start) || start < 0) return refuse('/pageToken', 'The page token is not valid')
  const end = start + size
  const more = end < items.length && { nextPageToken: String(end) }
  return { outcome: 'payers', reply: replyWithJson(200, { ...describe(items.slice(start, end)), ...more }) }
}

function refuse(path: string, message: string): Answered {
  return { outcome: 'input faults', reply: replyWithFaults([{ path, message }]) }
}

/** A payer of the roster in Stedi's JSON. */
export function describePayer(payer: RosterPayer): JsonObject {
  const { id, name, aliases = [], names = [], programs = [], coverageTypes = ['medical'] } = payer
  const claims = ['claimStatus', 'claimSubmission', 'professionalClaimSubmission', 'institutionalClaimSubmission']
  const others = [...claims, 'dentalClaimSubmission', 'claimPayment', 'unsolicitedClaimAttachment']
  return {
    stediId: lettersOf(id),
    displayName: name,
    primaryPayerId: id,
    aliases: [...new Set([id, ...aliases])],
    names,
    programs,
    coverageTypes,
    operatingStates: ['NATIONAL'],
    transactionSupport: {
      eligibilityCheck: 'SUPPORTED',
      coordinationOfBenefits: programs.includes('MEDICARE') ? 'NOT_SUPPORTED' : 'SUPPORTED',
      ...Object.fromEntries(others.map((transaction) => [transaction, 'NOT_SUPPORTED'])),
    },
  }
}

/** Stedi's own ids have five capital letters; here they are derived from the payer id. */
function lettersOf(id: string): string {
  const bytes = createHash('sha256').update(id).digest().subarray(0, 5)
  return String.fromCharCode(...bytes.map((byte) => 65 + (byte % 26)))
}
