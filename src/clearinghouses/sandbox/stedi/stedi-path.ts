/** The version segment under which all of Stedi's paths stand, here on one host. Source: clearinghouse.md A1. */
export const stediPath = '/2024-04-01'

/** Where the sandbox that answers CORE at this address plays Stedi: the root of all of Stedi's paths. */
export function stediUrlOf(coreUrl: string): string {
  return new URL(stediPath, coreUrl).href
}
