/**
 * An array parameter whose length the planner does not know: `column = any(…)`. For fewer values than the ten that it expects without
 * knowing, a plan of their own seems cheaper to it each time, and to make one may take longer than to run it.
 * decisions/0155-plans-for-few-keys.md
 */
export const ofUnknownLength = (parameter: string, type: 'uuid' | 'text'): string =>
  `(select ${parameter}::${type}[])::${type}[]`
