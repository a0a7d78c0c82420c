// What restricts a figure to less than its service: a tier, a kind of provider, a place, a procedure. x12-271.md 7, corrected.

import { isPlanRow } from '../../../x12/benefit-row.ts'
import { COPAYMENT } from '../../../x12/codes/benefits.ts'
import { PREFERRED_PROVIDERS, PROVIDER } from '../../../x12/codes/entities.ts'
import { PLAN_NETWORK } from '../../../x12/codes/references.ts'
import { OFFICE_VISIT, serviceTypeName } from '../../../x12/codes/service-types.ts'
import type { BenefitRow } from '../../../x12/model.ts'
import { programOfName } from '../coverage/coverage-names.ts'
import { isUnfinished } from '../payer-text.ts'
import { KIND_OF_CARE, OF_INDIVIDUAL, SOME_AGES } from '../words/figures/figure-labels.ts'
import { KIND_OF_FIGURE, PART_OF_SERVICE, STANDARD, TWO_PRICES, WHOLE_LIMIT } from '../words/figures/figures.ts'
import { OTHER_VISITS } from '../words/figures/kinds-of-visits.ts'
import {
  clausesOf,
  isSharedByServices,
  PLAN_KINDS,
  synonymsOf,
  unknownWordsOf,
  unknownWordsOfLong,
  wordsOf,
} from '../words/figures/plain-labels.ts'
import { cachedByName } from '../words/names/known-names.ts'
import { LONGEST_LABEL, states } from '../words/phrase-group.ts'
import { isOwedByStay } from './benefit-figures.ts'
import { nameProvider } from './related-entities.ts'
import { namesFamily } from './stated-level.ts'
import { networkNamed } from './stated-network.ts'

/** What restricts a row: its messages, places, procedures; a share owed per stay. Determined once for all services of the row. */
export interface Restrictions {
  labels: ReadonlySet<string>
  /** One of the labels marks the row as the standard one. */
  isStandard: boolean
  /** The row does not stand for its service even if there is no other. */
  isNarrow: boolean
  /**
   * The row is of some care, procedure, place or a name that is not understood. Several such rows are not all of the service, even where their
   * figures are equal, as tiers are, or primary care and specialists.
   */
  isOfSome: boolean
  /** The labels say no more than when the price is not owed: "copay waived if admitted". */
  isNotice: boolean
  /** The row is about other visits than those of the sick, so that it says nothing about its service. */
  isOfOtherVisits: boolean
}

/** Of each the guide allows ten under one EB (MSG, III). More are compared as a whole: every label of a row is looked for in every other row. */
const MOST_LABELS = 20

/** What restricts a row, determined with the texts below it read once. `plan`: the name of the plan of the slots. */
export function restrictionsOf(row: BenefitRow, plan: string | undefined): Restrictions {
  const texts = textLabels(row, plan)
  const labels = allLabels(row, texts)
  if (labels.length === 0) return UNRESTRICTED
  const narrowed = narrowedBy(row, texts, plan)
  return {
    labels: new Set(labels.length > MOST_LABELS ? [labels.join('\n')] : labels),
    isStandard: labels.some((label) => STANDARD.test(label) && !isUnknown(label, row, plan)),
    isNarrow: narrowed !== undefined,
    isOfSome: narrowed === 'some',
    isNotice:
      narrowed === undefined && labels.length === texts.length && texts.every((text) => WAIVED_LATER.test(text)),
    isOfOtherVisits: isOfOtherVisits(row, texts),
  }
}

const WAIVED_LATER = /\bWAIVED (?:IF|ONCE|UPON|WHEN)\b/i

const UNRESTRICTED: Restrictions = {
  labels: new Set(),
  isStandard: false,
  isNarrow: false,
  isOfSome: false,
  isNotice: false,
  isOfOtherVisits: false,
}

/** What restricts a row to less than its service. EB05 counts unless it names the plan of the slots. */
export function labelsOf(row: BenefitRow, plan: string | undefined): readonly string[] {
  return allLabels(row, textLabels(row, plan))
}

function allLabels(row: BenefitRow, texts: readonly string[]): readonly string[] {
  const { additionalInformation, procedure } = row
  const byStay = isOwedByStay(row)
  const isPlain = texts.length + additionalInformation.length + row.references.length + row.entities.length === 0
  if (isPlain && !procedure && !byStay) return NO_LABELS
  const places = additionalInformation.flatMap(({ qualifier, code }) => {
    return code === undefined || (isOfOfficeVisits(row) && !isAtOtherPlace(row)) ? [] : [[qualifier, code].join(':')]
  })
  const networks = row.references.filter(({ qualifier }) => qualifier === PLAN_NETWORK)
  return [
    ...texts,
    ...places,
    ...(procedure ? [procedure.join(':')] : []),
    ...(byStay ? ['by the stay'] : []),
    ...networks.map(({ value, description }) => [PLAN_NETWORK, value, description].join(':')),
    ...providersOf(row).map(nameProvider),
  ]
}

const NO_LABELS: readonly string[] = []

/** MSG, III04 and EB05, as far as they say more than the row does. */
function textLabels(row: BenefitRow, plan: string | undefined): readonly string[] {
  const { messages, additionalInformation, planDescription } = row
  const name = plan === undefined || planDescription === undefined ? '' : planDescription.trim().toUpperCase()
  const isLabel = name !== '' && name !== plan
  if (messages.length + additionalInformation.length === 0 && !isLabel) return NO_LABELS
  const texts = [...messages, ...additionalInformation.flatMap(({ text }) => text ?? []), ...(isLabel ? [name] : [])]
  return texts.filter((text) => {
    if (contradictsNetwork(text, row)) return true
    if (text.length <= LONGEST_LABEL && readLabel(text).isExpressed) return false
    if (isPlanRow(row) || text === name)
      return !(text.length <= LONGEST_LABEL ? readLabel(text).isKindOfFigure : namesKindOfFigure(text))
    return !(isOfOfficeVisits(row) && text.length <= LONGEST_LABEL && states(WHOLE_LIMIT, text))
  })
}

/** "Out of network" below a figure that EB12 has in the network: nobody knows which one is meant. */
function contradictsNetwork(text: string, { networkIndicator }: BenefitRow): boolean {
  if (networkIndicator !== 'Y' && networkIndicator !== 'N') return false
  if (text.length > LONGEST_LABEL || !NETWORK.test(text)) return false
  const networks = networksIn(text)
  return networks.length > 0 && networks.every((each) => each !== 'W' && each !== networkIndicator)
}

/** Some plans call the providers of a second level participating (FEP), in rows that EB12 has out of network. */
const NETWORK = /NETWORK|\bINN\b|\bOON\b/i

/** "Calendar year deductible - in network". */
const networksIn = cachedByName((text) =>
  [text, ...text.split(/ - |[,:;(]/)].flatMap((clause) => networkNamed(clause) ?? []),
)

const namesKindOfFigure = (text: string) => states(KIND_OF_FIGURE, text.toUpperCase().trim())

/**
 * By what a row does not stand for its service, whatever other rows there are: the price of one tier, of specialists, of telehealth, of
 * one procedure, of a place other than an office; the plan's deductible for drugs or teeth; a name that is not understood.
 */
function narrowedBy(row: BenefitRow, texts: readonly string[], plan: string | undefined): 'part' | 'some' | undefined {
  if (row.procedure) return 'some'
  if (isOfOfficeVisits(row) && isAtOtherPlace(row)) return 'some'
  const ofPlan = isPlanRow(row)
  const isOfAnyCare = ofPlan || isOfOfficeVisits(row)
  const parts = new Map<string, string>()
  for (const text of texts) {
    if (text.length > LONGEST_LABEL) continue
    if ((row.code === COPAYMENT && TWO_PRICES.test(text)) || contradictsNetwork(text, row)) return 'part'
    const { part, isOfKindOfCare } = readLabel(text)
    const found = part ?? ((isOfAnyCare && isOfKindOfCare) || (ofPlan && isOfOneKind(text)) ? OF_SOME_CARE : undefined)
    if (found !== undefined) parts.set(text, found)
  }
  // A row with several of one kind is for each of them: primary care and specialists, tiers 1 and 2. A specialist of tier 1 is one part.
  const kinds = new Set(parts.values())
  if (parts.size === 1 || kinds.size > 1) return kinds.has(OF_SOME_CARE) ? 'some' : 'part'
  if (isOfOfficeVisits(row) && isListOfVisits(texts)) return undefined
  const name = row.planDescription?.trim().toUpperCase()
  const hasUnknown = texts.some((text, at) => {
    return text !== name && !parts.has(text) && !isUnfinished(texts[at - 1] ?? '') && isUnknown(text, row, plan)
  })
  return hasUnknown ? 'some' : undefined
}

/** True for a text that makes a row one of a part of its service, or of other care: "telehealth visits" under office visits. */
export function restrictsRow(text: string, row: BenefitRow): boolean {
  if (isUnknown(text, row, row.planDescription)) return true
  if (text.length > LONGEST_LABEL) return false
  const { part, isOfKindOfCare, isOfOtherVisits: isOfOthers } = readLabel(text)
  return part !== undefined || ((isPlanRow(row) || isOfOfficeVisits(row)) && (isOfKindOfCare || isOfOthers))
}

/** True for visits to primary care and to specialists, one below the other, with others of an office: the figure is that of any. */
function isListOfVisits(texts: readonly string[]): boolean {
  const visits = texts.map((text) => text.toUpperCase()).filter((text) => unknownWordsOf(text).length > 0)
  const names = (words: RegExp) => visits.some((text) => words.test(text))
  return visits.every((text) => VISIT.test(text)) && names(/\b(?:PRIMARY|PCP)\b/) && names(/\bSPECIALISTS?\b/)
}

const VISIT = /\b(?:VISITS?|EVALUATIONS?|CONSULT\w*|EXAMS?)\b/

const OF_SOME_CARE = 'care'

/**
 * True for a label with a word that is neither the plan's nor the service's own and that names no figure, period, network or the like: what the
 * figure is for is not understood, so that it may not stand for its service. decisions/0190.
 */
function isUnknown(text: string, { serviceTypeCodes }: BenefitRow, plan = ''): boolean {
  const words = text.length > LONGEST_LABEL ? unknownWordsOfLong(text) : unknownWordsOf(text)
  if (words.length === 0) return false
  const own = wordsOf(
    [plan, ...serviceTypeCodes.slice(0, MOST_LABELS).map((code) => serviceTypeName(code) ?? '')].join(' '),
  )
  const names = new Set([...own, ...synonymsOf(own)])
  const isOfPlan = !own.some((word) => PLAN_KINDS.has(word)) && !OF_PROVIDERS.test(text)
  const isNamed = (word: string) => names.has(word) || (isOfPlan && PLAN_KINDS.has(word))
  if (words.every(isNamed) || (words.some(isNamed) && isSharedByServices(text))) return false
  return !isListWithService(text, isNamed)
}

/** "CHIROPRACTOR,LAB BY CHIROPRACTOR,MANIPULATION": the figure is for the whole service, and for others. */
function isListWithService(text: string, isNamed: (word: string) => boolean): boolean {
  const items = text.split(',')
  return (
    items.length > 2 &&
    items.some((item) => {
      const words = unknownWordsOf(item)
      return words.length > 0 && words.every(isNamed)
    })
  )
}

/** "PPO PROVIDERS" are some of the network's. */
const OF_PROVIDERS = /\b(?:PROVIDERS?|NETWORK|TIER|LEVEL)\b/i

/** True for a price of the plan or of office visits that is one of preventive visits, of injections and the like. */
function isOfOtherVisits(row: BenefitRow, texts: readonly string[]): boolean {
  if (!isPlanRow(row) && !isOfOfficeVisits(row)) return false
  return texts.length > 0 && texts.every((text) => text.length <= LONGEST_LABEL && readLabel(text).isOfOtherVisits)
}

/** What a text of at most `LONGEST_LABEL` says as a label. Payers repeat theirs in every answer. */
const readLabel = cachedByName((text) => ({
  isKindOfFigure: namesKindOfFigure(text),
  /** By its first clause: "PREVENTIVE CARE - DEDUCTIBLE WAIVED". */
  isOfOtherVisits: states(OTHER_VISITS, clausesOf(text)[0] ?? ''),
  /** A network or a level of coverage, which the row has a field for. */
  isExpressed: networkNamed(text) !== undefined || namesFamily(text) || states(OF_INDIVIDUAL, text),
  /** What the label is one of: tiers, kinds of providers, ages. */
  part: partNamed(text),
  isOfKindOfCare: clausesOf(text).some((clause) => states(KIND_OF_CARE, clause)),
}))

/** By the clause that names it: "TIER 2 - REFERRAL REQUIRED". */
function partNamed(text: string): string | undefined {
  for (const clause of clausesOf(text)) {
    if (states(SOME_AGES, clause)) return 'ages'
    if (!states(PART_OF_SERVICE, clause)) continue
    return KINDS_OF_PARTS.find(([, words]) => words.test(clause))?.[0] ?? clause
  }
  return undefined
}

const KINDS_OF_PARTS: readonly (readonly [string, RegExp])[] = [
  ['tiers', /\b(?:TIER|DESIGNATED|ENHANCED|HIGHEST|LOWEST|LEVEL|NETWORK)\b/],
  ['providers', /\b(?:PCP|PRIMARY|SPECIAL\w+)\b/],
  ['drugs', /\b(?:GENERICS?|BRANDS?)\b/],
  ['ways', /\b(?:TELE\w+|VIRTUAL|ONLINE|VIDEO|PHONE|E-?VISITS?)\b/],
]

/** Services that a text limits a figure of the plan to: drugs, teeth, eyes, mental health. */
const isOfOneKind = (text: string) =>
  (programOfName(text)?.services.length ?? 0) > 0 && !/\b(?:INCL|EXCL|COMBINED|SHARED)/i.test(text)

/** NM101 of those by whom a service is given: provider, contracted or other provider, facility, primary care provider, vendor, network, association. */
const PROVIDERS: ReadonlySet<string | undefined> = new Set([
  ...[PROVIDER, PREFERRED_PROVIDERS],
  ...['13', '73', 'FA', 'P3', 'VN', 'I3'],
])

/** The providers that the figures of a row are about. */
export const providersOf = ({ entities }: BenefitRow) =>
  entities.length === 0 ? entities : entities.filter(({ entityCode }) => PROVIDERS.has(entityCode))

/** III02: an office, which does not restrict visits to an office. */
export const OFFICE = '11'

/** True for a row of other places than an office, or of a diagnosis. One of an office and of other places is of the office, too. */
export function isAtOtherPlace({ additionalInformation }: BenefitRow): boolean {
  const stated = additionalInformation.filter(({ code }) => code !== undefined)
  const areHere = stated.some(({ code }) => code === OFFICE) && stated.every(isPlace)
  return stated.length > 0 && !areHere
}

/** III01: a place of service. The others are of diagnoses and injuries. */
const isPlace = ({ qualifier }: BenefitRow['additionalInformation'][number]) =>
  qualifier === undefined || qualifier === 'ZZ'

/** X12 1365 codes of visits to an office: any, of the sick, of the well. */
const OFFICE_VISITS: ReadonlySet<string> = new Set([OFFICE_VISIT, 'BY', 'BZ'])

const isOfOfficeVisits = ({ serviceTypeCodes }: BenefitRow): boolean =>
  serviceTypeCodes.length > 0 && serviceTypeCodes.every((code) => OFFICE_VISITS.has(code))
