// The files of the repository that are generated, by their paths.
import { eventTypes } from '../src/main/events.ts'
import { describeProgram } from '../src/main/interface.ts'
import type { SystemDatabase } from '../src/platform/database/database.ts'
import { describeCommands } from './describe-commands.ts'
import { describeConnectorSettings } from './describe-connector-settings.ts'
import { describeConsoleApi } from './describe-console-api.ts'
import { describeDecisions } from './describe-decisions.ts'
import { describeLock } from './describe-lock.ts'
import { describeSchema } from './describe-schema.ts'
import { describeSettings } from './describe-settings.ts'

/** What each file should contain; `schema` is given a database with all migrations and nothing else. */
export const generatedFiles: Record<string, (migrated: SystemDatabase) => string | Promise<string>> = {
  'openapi.json': () => `${JSON.stringify(describeProgram(), null, 2)}\n`,
  'console/src/api/generated.ts': () => describeConsoleApi(describeProgram(), eventTypes),
  'schema.sql': (migrated) => describeSchema(migrated),
  'docs/settings.md': () => describeSettings(),
  'docs/connector-settings.md': () => describeConnectorSettings(),
  'docs/command-line.md': () => describeCommands(),
  'decisions/README.md': () => describeDecisions(),
  'package-lock.json': () => describeLock(),
}
