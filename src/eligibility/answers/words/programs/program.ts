/** A limited program or kind of coverage (programs.ts). */
export interface Program {
  meaning: string
  source: string
  /** The program in the words of a text that limits the coverage to it (limited.ts): "FAMILY PLANNING SERVICES ONLY". */
  words?: string
  /** X12 1365 codes of the visits that the program covers. */
  services: readonly string[]
  /** Texts that limit a plan to it. */
  texts?: readonly string[]
  /** Names of plans and payers that stand for the program. */
  names?: readonly RegExp[]
  /** A word that stands for the program as one of the first three of a name. A medical plan appends it: GOLD HMO WITH DENTAL. */
  firstWords?: RegExp
  /** Names of plans and payers that are the program, and that resemble it. */
  examples?: readonly string[]
  counterexamples?: readonly string[]
}
