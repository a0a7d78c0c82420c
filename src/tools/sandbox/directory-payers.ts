import type { DirectoryPayer } from '../../payers/directory-payer.ts'
import { readStediPayer } from '../../payers/stedi-payer.ts'
import { readRoster } from './roster.ts'
import { describePayer } from './stedi/payers.ts'

/**
 * The payers that the sandbox clearinghouse plays, as the directory shows payers. `rosterFile`: a roster of one's own, else the one that
 * comes with the program.
 */
export async function readSandboxPayers(rosterFile: string | undefined): Promise<DirectoryPayer[]> {
  const { payers } = await readRoster(rosterFile)
  return payers.map(describePayer).flatMap((payer) => readStediPayer(payer) ?? [])
}
