/**
 * The user of automated writes: the check engine, scheduled runs. Every organization has this user without a row, so
 * that `updating_user_id` and the timeline always name a user. The name is given by the interface. Source: rules.md 6,
 * "Timeline".
 */
export const systemUser = { id: '00000000-0000-0000-0000-000000000000', name: 'Candid Health' } as const
