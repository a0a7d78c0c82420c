import type { Config } from '../../config.ts'
import { NIL_UUID } from '../../contract/formats.ts'

/**
 * The user of automated writes: the check engine, scheduled runs. Every organization has this user without a row, so
 * that `updating_user_id` and the timeline always name a user.
 */
export const systemUser = { id: NIL_UUID } as const

type Named = Pick<Config, 'SYSTEM_USER_NAME'>

/** The name of the system user in the audit trail and beside records. */
export const systemUserName = ({ SYSTEM_USER_NAME }: Named) => SYSTEM_USER_NAME ?? 'Anteroom'

/** Its name in the timeline; unless one is configured, the text that the interface gives. Source: rules.md 6, "Timeline". */
export const systemUserNameInTimeline = ({ SYSTEM_USER_NAME }: Named) => SYSTEM_USER_NAME ?? 'Candid Health'
