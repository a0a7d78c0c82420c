import { isActiveRow, isInactiveRow } from '../../../x12/benefit-row.ts'
import { benefitNames } from '../../../x12/codes/benefits.ts'
import { codeTable } from '../../../x12/codes/code-table.ts'
import { referenceNames } from '../../../x12/codes/references.ts'
import { planDescriptionKeys, planReferenceSpellings } from '../../../x12/codes/stedi-keys.ts'
import type { BenefitRow, Party, PatientResponse, Response } from '../../../x12/model.ts'
import { tokenize } from '../../../x12/tokenizer.ts'
import { errorDetails } from '../rejections/rejections.ts'
import { describeBenefit } from './stedi-benefits.ts'
import { describePlanDates } from './stedi-dates.ts'
import { describeMember, describePayer, describeProvider, describeSubscriber, present } from './stedi-parties.ts'

/** ISA15 in the clearinghouse's words. */
const APPLICATION_MODES: ReadonlyMap<string | undefined, string> = new Map([
  ['P', 'production'],
  ['T', 'test'],
  ['I', 'information'],
])

/** Values that the answer itself does not contain. */
interface StediContext {
  /** The interchange as received; its ISA states mode, parties and control number. */
  raw: string
  /** Our own ids of the check, if the caller has any. */
  id?: string
  eligibilitySearchId?: string
}

/**
 * One patient's answer as the real-time JSON that callers of the published client read in `response`: the content of the X12 in JSON, and
 * the X12 itself. It contains only what the message states; no id is invented. Source: clearinghouse.md A2, A3.
 */
export function stediResponse(response: Response, patient: PatientResponse, context: StediContext): object {
  const { payer, provider, subscriber, dependent, rejections, benefits } = patient
  const isa = readHeader(context.raw)
  const controlNumber = isa[13] ?? response.controlNumber
  const at = (level: string) => rejections.filter(({ loop }) => loop.endsWith(level))
  const members = dependent ? [subscriber, dependent] : [subscriber]
  const rendered = present({
    meta: present({
      applicationMode: APPLICATION_MODES.get(isa[15]),
      traceId: response.reference,
      senderId: isa[6],
      submitterId: isa[8],
    }),
    id: context.id,
    eligibilitySearchId: context.eligibilitySearchId,
    controlNumber,
    reassociationKey: controlNumber,
    tradingPartnerServiceId: payer?.id,
    provider: provider && describeProvider(provider, at('B')),
    subscriber: describeSubscriber(subscriber, at('C')),
    subscriberTraceNumbers: members.flatMap(({ traces }) => traces.map(describeTrace)),
    payer: payer && describePayer(payer, at('A')),
    planInformation: describePlanReferences(members),
    planDateInformation: describePlanDates(patient),
    planStatus: benefits.filter((row) => isActiveRow(row) || isInactiveRow(row)).map(describeStatus),
    benefitsInformation: benefits.map(describeBenefit),
    x12: isa.length > 0 ? context.raw : undefined,
  })
  // Lists that callers read without a check, so they are present even when empty.
  return {
    ...rendered,
    dependents: dependent ? [describeMember(dependent, at('D'))] : [],
    errors: rejections.map(errorDetails),
  }
}

function describeStatus({ code, planDescription, serviceTypeCodes }: BenefitRow): object {
  return present({
    statusCode: code,
    status: benefitNames[code],
    planDetails: planDescription,
    serviceTypeCodes: [...serviceTypeCodes],
  })
}

/** The elements of the first ISA without their padding; none for an answer in JSON, even if it quotes one. */
function readHeader(raw: string): string[] {
  if (/^\s*[[{]/.test(raw)) return []
  for (const segment of tokenize(raw)) return segment.elements.map((element) => element.trim())
  return []
}

function describeTrace({ type, number, originator, subdivision }: Party['traces'][number]): object {
  return present({
    traceTypeCode: type,
    traceType: TRACE_TYPES[type],
    referenceIdentification: number,
    originatingCompanyIdentifier: originator,
    secondaryReferenceIdentification: subdivision,
  })
}

const TRACE_TYPES = codeTable({
  '1': 'Current Transaction Trace Numbers',
  '2': 'Referenced Transaction Trace Numbers',
})

/** REF of the members under the names of their qualifiers; the dependent's take precedence. */
function describePlanReferences(members: readonly Party[]): object | undefined {
  const described: Record<string, string> = {}
  for (const { qualifier, value, description } of members.flatMap(({ references }) => references)) {
    const key = planReferenceSpellings[qualifier] ?? referenceNames[qualifier]
    if (key !== undefined && value !== undefined) described[key] = value
    const descriptionKey = planDescriptionKeys[qualifier]
    if (descriptionKey !== undefined && description !== undefined) described[descriptionKey] = description
  }
  return Object.keys(described).length > 0 ? described : undefined
}
