import type { DirectoryPayer } from '../../payers/directory-payer.ts'
import { readStediPayer } from '../../payers/stedi-payer.ts'
import { readRoster } from './roster.ts'
import { describePayer } from './stedi/payers.ts'

/**
 * The sandbox's payers as entries of the payer directory. `rosterFile`: path of a custom roster; without it, the roster that ships with the
 * program.
 */
export async function readSandboxPayers(rosterFile: string | undefined): Promise<DirectoryPayer[]> {
  const { payers } = await readRoster(rosterFile)
  return payers.map(describePayer).flatMap((payer) => readStediPayer(payer) ?? [])
}
