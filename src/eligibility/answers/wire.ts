// The shapes that this folder returns are those of the interface: the types of its schemas, with the slots of figures by name. Source:
// contract/types.md; mixed spelling: rules.md 1.3.
import type { Static } from 'typebox'
import type * as benefits from '../../contract/benefits.schema.ts'
import type * as checks from '../../contract/eligibility-check.schema.ts'

export type EligibilityStatus = Static<typeof checks.EligibilityStatus>
export type ParsedResponse = Static<typeof checks.ParsedResponse>
export type RequestCorrection = Static<typeof checks.RequestCorrection>

export type PlanMetadata = Static<typeof benefits.PlanMetadata>
export type PlanDate = Static<typeof benefits.PlanDate>
export type ExpandedMemberInfo = Static<typeof benefits.ExpandedMemberInfo>
export type MemberAddress = Static<typeof benefits.MemberAddress>

export type CoverageBenefits = Static<typeof benefits.CoverageBenefits>
export type PlanCoverage = Static<typeof benefits.PlanCoverage>
export type ServiceCoverage = Static<typeof benefits.ServiceCoverage>
export type BenefitsRelatedEntity = Static<typeof benefits.BenefitsRelatedEntity>
export type RelatedEntityContact = Static<typeof benefits.RelatedEntityContact>
export type NonCoveredDetail = Static<typeof benefits.NonCoveredDetail>

/** The figures that a plan or a service has in one network, by slot. */
export type PlanCoverageDetails = Static<typeof benefits.PlanCoverageDetails>
export type ServiceCoverageDetails = Static<typeof benefits.ServiceCoverageDetails>
export type PlanSlot = Exclude<keyof PlanCoverageDetails, 'additional_notes'>
export type ServiceSlot = Exclude<keyof ServiceCoverageDetails, 'additional_notes'>
/** Dollars, percent (0..100) or a count, depending on the slot. */
export type CoverageValue = Static<typeof benefits.CoverageValue>

/** A figure of the flat list. */
export type CoverageDetails = Static<typeof benefits.CoverageDetails>
export type BenefitType = Static<typeof benefits.BenefitType>
export type CoverageLevel = Static<typeof benefits.CoverageLevel>
export type CoverageValueUnit = Static<typeof benefits.CoverageValueUnit>

/** One reject reason in the clearinghouse's spelling, as in the raw response's `errors`. Source: clearinghouse.md A3. */
export type ErrorDetails = { [key in (typeof checks.ERROR_DETAIL_KEYS)[number]]?: string }

/** `EligibilityCheckErrorDetails`: the interface's keys, which end in a question mark, and the plain ones. rules.md 13.3. */
export type WireErrorDetails = ErrorDetails & { [key in keyof ErrorDetails as `${key}?`]?: string }
