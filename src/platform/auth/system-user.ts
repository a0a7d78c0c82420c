/**
 * Who writes what no client asked for: the check engine, scheduled runs. Every organization has this user without a row of its
 * own, so `updating_user_id` and the timeline always name somebody. The name is the interface's. Source: rules.md 6, "Timeline".
 */
export const systemUser = { id: '00000000-0000-0000-0000-000000000000', name: 'Candid Health' } as const
