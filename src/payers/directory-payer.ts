/** A payer in the form of the interface. Source: types.md, StediPayer; clearinghouse.md A6. */
export interface DirectoryPayer {
  /** Five capital letters, unique to the payer. */
  stedi_id: string
  display_name: string
  primary_payer_id: string
  /** Further ids of the same payer. */
  aliases: string[]
  names: string[]
  /** By transaction, with Stedi's names: `eligibilityCheck`, `claimStatus`, …; transactions of unknown support are left out. */
  transaction_support: TransactionSupport
  employer_identification_numbers?: string[]
  /** Stedi's `enrollment`, unchanged. */
  payer_enrollment?: Record<string, unknown>
  parent_payer_group?: string
  /** `medical`, `dental`, `vision`. */
  coverage_types?: string[]
  /** `MEDICAID`, `MEDICARE_ADVANTAGE`, …: not part of the interface. */
  programs?: string[]
}

/** By transaction: `SUPPORTED`, `NOT_SUPPORTED` or `ENROLLMENT_REQUIRED`. */
type TransactionSupport = Record<string, string>
