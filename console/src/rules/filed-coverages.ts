import type { BoardItem } from '../api/generated.ts'

/** The coverages that the board shows of a visit, in filing order, with their names. */
export const FILED_COVERAGES = {
  primary_coverage: 'Primary coverage',
  secondary_coverage: 'Secondary coverage',
} as const
export type FiledPlace = keyof typeof FILED_COVERAGES
export const filedPlaces = Object.keys(FILED_COVERAGES) as FiledPlace[]

/** A visit as far as its coverages are concerned. */
export type FiledCoverages<Coverage = NonNullable<BoardItem['primary_coverage']>> = { [place in FiledPlace]?: Coverage }

/** Those that are filed. */
export function coveragesOf<Coverage>(visit: FiledCoverages<Coverage>): Coverage[] {
  return filedPlaces.flatMap((place) => visit[place] ?? [])
}
