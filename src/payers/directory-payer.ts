/** A payer as the interface shows it. Source: types.md, StediPayer; clearinghouse.md A6. */
export interface DirectoryPayer {
  /** Five capital letters, never another payer's. */
  stedi_id: string
  display_name: string
  primary_payer_id: string
  /** Further ids that mean the same payer. */
  aliases: string[]
  names: string[]
  /** By transaction, with Stedi's names: `eligibilityCheck`, `claimStatus`, …; what is not known is left out. */
  transaction_support: TransactionSupport
  employer_identification_numbers?: string[]
  /** Stedi's `enrollment`, as it came. */
  payer_enrollment?: Record<string, unknown>
  parent_payer_group?: string
  /** `medical`, `dental`, `vision`. */
  coverage_types?: string[]
  /** `MEDICAID`, `MEDICARE_ADVANTAGE`, …: not part of the interface. */
  programs?: string[]
}

/** By transaction: `SUPPORTED`, `NOT_SUPPORTED` or `ENROLLMENT_REQUIRED`. */
type TransactionSupport = Record<string, string>
