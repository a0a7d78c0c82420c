import { readConfig } from '../../config.ts'
import { encryptedColumns } from '../../platform/key-rotation/encrypted-columns.ts'
import { rotateDataKey } from '../../platform/key-rotation/rotate-data-key.ts'
import { records } from '../resources.ts'
import { type CommandLine, UsageError } from './program/command-line.ts'
import { printDiagnostic, printObject } from './program/output.ts'
import { withDatabase } from './program/with-database.ts'

/** `anteroom keys rotate --data`. */
export async function rotateData(line: CommandLine): Promise<void> {
  if (line.flags.algorithm) throw new UsageError('--algorithm cannot be combined with --data')
  const { reencrypted, dropped_key_ids, ...rotation } = await withDatabase(({ systemDatabase }) =>
    rotateDataKey(readConfig(), { database: systemDatabase, columns: encryptedColumns(records) }, printDiagnostic),
  )
  if (line.flags.json) return printObject(line, { ...rotation, dropped_key_ids, reencrypted })
  printObject(line, { ...rotation, dropped_key_ids: dropped_key_ids.join(', ') || 'none', ...reencrypted })
}
