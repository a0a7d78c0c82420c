// All commands, in the order of the help. A new command is a file and a line here.
import type { Declaration } from '../program/declaration.ts'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import { check } from './check.ts'
import { client } from './client.ts'
import { completionOf } from './completion.ts'
import { config } from './config.ts'
import { connector } from './connector.ts'
import { distribute } from './distribute.ts'
import { doctor } from './doctor.ts'
import { keys } from './keys.ts'
import { migrate } from './migrate.ts'
import { openapi } from './openapi.ts'
import { organization } from './organization.ts'
import { payers } from './payers.ts'
import { restore } from './restore.ts'
import { route } from './route.ts'
import { sandbox } from './sandbox.ts'
import { seed } from './seed.ts'
import { serve } from './serve.ts'
import { user } from './user.ts'
import { verify } from './verify.ts'
import { webhook } from './webhook.ts'
import { worker } from './worker.ts'
import { x12 } from './x12.ts'

export const declarations: readonly Declaration[] = [
  serve,
  worker,
  migrate,
  distribute,
  organization,
  client,
  user,
  keys,
  backup,
  restore,
  connector,
  route,
  webhook,
  payers,
  verify,
  check,
  x12,
  seed,
  audit,
  config,
  doctor,
  sandbox,
  openapi,
  completionOf(() => declarations),
]
