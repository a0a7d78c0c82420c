// Primary payer ids by payer name. Source: rules.md 13.8; x12-271.md 10.
import { isSandbox, usesSandbox } from '../clearinghouses/uses-sandbox.ts'
import type { Deps } from '../deps.ts'
import { plainId } from './terms.ts'

export type PayerNeeds = Pick<Deps, 'config' | 'database' | 'clearinghouses' | 'payers'>

/** The comparison of `plainId` in SQL, except that accents are not removed. */
const COMPARED = `upper(regexp_replace(known.name, '[^A-Za-z0-9]+', '', 'g'))`

const idsStatement = {
  name: 'payer_ids_by_name',
  text: `select ${COMPARED}, primary_payer_id from payer
      cross join lateral (select display_name union all select jsonb_array_elements_text(names)) known (name)
    where ${COMPARED} = any ($1::text[])`,
}

/**
 * The primary payer id of each name that the directory has; case, blanks and punctuation are ignored, nothing is guessed. A name that
 * several payers share has none. The sandbox's payers count where checks go to the sandbox.
 */
export async function findPayerIds(
  deps: PayerNeeds,
  organizationId: string,
  names: readonly string[],
): Promise<(name: string) => string | undefined> {
  if (names.length === 0) return () => undefined
  const wanted = [...new Set(names.map(plainName))]
  const ids = new Map<string, Set<string>>()
  const add = (name: string, id: string) => ids.set(name, (ids.get(name) ?? new Set()).add(id))
  for (const [name = '', id = ''] of await deps.database.rows(idsStatement, [wanted])) add(name as string, id as string)
  if (ids.size === 0 && (await isSandboxStandard(deps, organizationId))) {
    for (const payer of await deps.payers.sandboxPayers()) {
      for (const name of [payer.display_name, ...payer.names]) add(plainName(name), payer.primary_payer_id)
    }
  }
  return (name) => {
    const found = ids.get(plainName(name))
    return found?.size === 1 ? [...found][0] : undefined
  }
}

const plainName = (name: string) => plainId(name).toUpperCase()

/** Whether this organization's checks go to the sandbox by default: an invented payer must not be listed with real ones. */
export async function isSandboxStandard(deps: PayerNeeds, organizationId: string): Promise<boolean> {
  if (!usesSandbox(deps.config)) return false
  const { clearinghouse } = await deps.clearinghouses.standard(organizationId)
  return isSandbox(deps.config, clearinghouse)
}
