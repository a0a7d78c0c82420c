const SHARE = 4

/**
 * How many random cases a test draws: a fourth, and with `npm run bench:rounds` the whole. Only for cases that differ by chance, never for a list
 * of all cases. decisions/0230-where-less-of-the-same-is-done-in-tests.md
 */
export const rounds = (whole: number): number => (process.env.ALL_ROUNDS ? whole : Math.ceil(whole / SHARE))
