// Complete answers of the kinds that payers send, written according to x12-271.md 3 to 9.
import { describe, expect, test } from 'vitest'
import { answerText, interchangeOf, SUBSCRIBER } from '../../../test/support/answers.ts'
import { decodeResponse } from './decode.ts'
import type { ServiceCoverage } from './wire.ts'

function decode(text: string, dateOfService?: string) {
  const [transaction] = decodeResponse(text, dateOfService === undefined ? {} : { dateOfService }).transactions
  if (!transaction) throw new Error('no transaction')
  return { ...transaction, first: transaction.patients[0]! }
}

const above = 'HL*1**20*1~NM1*PR*2*PAYER*****PI*P1~HL*2*1*21*1~NM1*1P*2*CLINIC*****XX*1999999984~'
const serviceOf = (services: ServiceCoverage[] | undefined, code: string) =>
  services?.find(({ service_code }) => service_code === code)

describe('an answer of Medicare', () => {
  const member = `${SUBSCRIBER}DTP*307*RD8*20260301-20260301~`
  const rows = `EB*1**30*MA~DTP*291*D8*20190101~EB*1**30*MB~DTP*291*D8*20190601~
EB*C**30*MA**26*1676~DTP*292*RD8*20260101-20261231~EB*C**30*MB**23*257~DTP*292*RD8*20260101-20261231~
EB*C**30*MB**29*0~EB*A**30*MB****.2~EB*B**30*MA**7*419~
EB*R**30*HN~REF*18*H9999 001*HARBOR ADVANTAGE~REF*N6*001~DTP*292*D8*20260101~LS*2120~NM1*PRP*2*HARBOR HEALTH~N3*1 PIER~PER*IC**TE*2075550100~LE*2120~
EB*R**88*OT~REF*18*S5555 002~DTP*292*D8*20260101~LS*2120~NM1*PR*2*HARBOR DRUGS~LE*2120~
EB*1**30*QM~DTP*291*RD8*20250101-20251231~EB*D**30~MSG*NEXT ELIGIBLE 20260501~`

  const advantage = /EB\*R\*\*30\*HN.*?LE\*2120~\n/

  test('with Medicare Advantage puts none of its own figures into the slots, and labels them', () => {
    const { plan_coverage, notes } = decode(answerText(rows, member), '2026-03-01').first.benefits ?? {}
    expect(plan_coverage).not.toHaveProperty('in_network')
    expect(plan_coverage?.in_network_flat?.[0]?.additional_notes).toContain('Original Medicare')
    expect(notes).toMatch(
      /^ATTENTION: Medicare Advantage pays instead of Original Medicare: .*HARBOR HEALTH.*contract H9999 001/,
    )
  })

  test('is active on the inquired date, with Part B in the slots and Part A in the list by name', () => {
    const { first } = decode(answerText(rows.replace(advantage, ''), member), '2026-03-01')
    expect(first.eligibility_status).toBe('ACTIVE')
    expect(first.plan_metadata).toMatchObject({ insurance_type_code: 'MA', member_id: 'NW-100200' })
    const { plan_coverage, service_specific_coverage, notes } = first.benefits ?? {}
    expect(plan_coverage?.in_network).toEqual({
      deductible: { individual: 257 },
      deductible_remaining: { individual: 0 },
    })
    expect(plan_coverage?.in_network_flat?.[0]).toMatchObject({ value: 1676 })
    expect(plan_coverage?.in_network_flat?.[0]?.additional_notes).toMatch(/Episode.*Medicare Part A/)
    expect(serviceOf(service_specific_coverage, '30')?.in_network).toEqual({ coinsurance: { individual: 20 } })
    expect(notes?.split('\n').slice(0, 2)).toEqual([
      'Medicare Part A: active, from 2019-01-01',
      'Medicare Part B: active, from 2019-06-01',
    ])
    expect(notes).toContain('NEXT ELIGIBLE 20260501')
  })

  test('names the Medicare Advantage and drug plans besides it, each with the services that it covers', () => {
    expect(decode(answerText(rows, member)).first.benefits?.benefits_related_entities).toEqual([
      {
        entityIdentifier: 'Primary Payer',
        entityName: 'HARBOR HEALTH',
        entityType: 'Non-Person Entity',
        contactInformation: [{ mode: 'Telephone', value: '2075550100' }],
        serviceTypeCodes: ['30'],
      },
      {
        entityIdentifier: 'Payer',
        entityName: 'HARBOR DRUGS',
        entityType: 'Non-Person Entity',
        serviceTypeCodes: ['88'],
      },
    ])
  })
})

describe('a dental answer without a plan row', () => {
  const rows = `EB*1**35**PEDIATRIC DENTAL~EB*1**41~EB*F*IND*35***23*1500*****Y~EB*F*IND*35***29*1100*****Y~
EB*A*IND******.5****Y*AD:D2750~EB*F*IND*******P6*2**Y*AD:D1110~HSD*VS*2***23*1~DTP*304*D8*20260114~
EB*C*IND*38***32*2000*****Y~EB*F*CHD*EF*****S7*18**Y~EB*I*IND*38*********N~`

  test('is active, with lifetime figures in the list only and procedures by their codes', () => {
    const { first } = decode(answerText(rows))
    expect(first.eligibility_status).toBe('ACTIVE')
    expect(first.plan_metadata?.plan_name).toBe('PEDIATRIC DENTAL')
    const services = first.benefits?.service_specific_coverage
    expect(serviceOf(services, '35')?.in_network_flat?.map(({ type, value }) => [type, value])).toEqual([
      ['LIMITATION', 1500],
      ['LIMITATION', 1100],
    ])
    const orthodontics = serviceOf(services, '38')
    expect(orthodontics).not.toHaveProperty('in_network')
    expect(orthodontics?.in_network_flat?.[0]).toMatchObject({ type: 'DEDUCTIBLE', additional_notes: 'Lifetime' })
    const notes = serviceOf(services, '30')
      ?.in_network_flat?.map(({ additional_notes }) => additional_notes)
      .join()
    expect(notes).toMatch(/Procedure AD D2750/)
    expect(notes).toMatch(/Procedure AD D1110; latestVisitOrConsultation 2026-01-14/)
  })

  test('leaves services that the interface does not define out of the lists, but not out of exclusions', () => {
    const { benefits } = decode(answerText(rows)).first
    expect(benefits?.service_specific_coverage?.map(({ service_code }) => service_code)).toEqual(['30', '35', '38'])
    expect(benefits?.non_covered_details).toMatchObject([{ service_type_codes: ['38'] }])
  })
})

describe('an answer with tiers', () => {
  test('yields the plain figures, and total minus met equals the remainder in both networks', () => {
    const row = (code: string, period: string, amount: string, network: string, ...texts: string[]) =>
      `EB*${code}*FAM*30***${period}*${amount}*****${network}~${texts.map((text) => `MSG*${text}~`).join('')}`
    const met = 'MET BY THE FAMILY'
    const rows = `EB*1**30**HARBOR~${row('C', '23', '0', 'Y', 'BEST TIER', met)}${row('C', '24', '0', 'Y', 'BEST TIER', met)}
${row('C', '29', '0', 'Y', 'BEST TIER', met)}${row('C', '24', '2100', 'W', met)}${row('C', '23', '3000', 'Y', met)}
${row('C', '29', '900', 'Y', met)}${row('C', '23', '6000', 'N', met)}${row('C', '29', '3900', 'N', met)}
${row('G', '23', '8000.50', 'Y', met)}${row('G', '24', '2500.25', 'W', met)}${row('G', '29', '5500.25', 'Y', met)}`
    const coverage = decode(answerText(rows)).first.benefits?.plan_coverage
    expect(coverage?.in_network).toEqual({
      deductible: { family: 3000 },
      deductible_remaining: { family: 900 },
      deductible_year_to_date: { family: 2100 },
      oop_max: { family: 8000.5 },
      oop_max_remaining: { family: 5500.25 },
      oop_max_year_to_date: { family: 2500.25 },
    })
    expect(coverage?.out_of_network).toMatchObject({
      deductible: { family: 6000 },
      deductible_remaining: { family: 3900 },
      deductible_year_to_date: { family: 2100 },
    })
    expect(coverage?.in_network_flat).toHaveLength(9)
  })
})

describe('several people in one answer', () => {
  test('are each evaluated by their own rows', () => {
    const people = `${above}HL*3*2*22*0~NM1*IL*1*DOE*JANE****MI*M1~EB*1**30~HL*4*2*22*1~NM1*IL*1*ROE*SAM****MI*M2~EB*6**30~
HL*5*4*23*0~NM1*03*1*ROE*BABY~EB*1**30~HL*6*4*23*0~NM1*QC*1*ROE*TEEN~`
    const { patients } = decode(interchangeOf(people))
    expect(
      patients.map(({ eligibility_status, plan_metadata }) => [
        (plan_metadata?.dependent ?? plan_metadata?.subscriber)?.first_name,
        eligibility_status,
      ]),
    ).toEqual([
      ['JANE', 'ACTIVE'],
      ['BABY', 'ACTIVE'],
      ['TEEN', 'INACTIVE'],
    ])
  })

  test("another policy's insured in LS and LE is not our subscriber", () => {
    const rows = 'EB*1**30~EB*R**30~LS*2120~NM1*IL*1*ROE*SAM****MI*X9~NM1*PR*2*OTHER~LE*2120~EB*B**98***27*15~'
    const { patients } = decode(answerText(rows))
    expect(patients).toHaveLength(1)
    expect(patients[0]?.plan_metadata).toMatchObject({ member_id: 'NW-100200', subscriber: { first_name: 'IRIS' } })
    expect(serviceOf(patients[0]?.benefits?.service_specific_coverage, '98')?.in_network?.copay?.individual).toBe(15)
  })
})

describe('levels out of order', () => {
  test('that name each other as parents in a circle are read in sequence', () => {
    const circle = `HL*1*3*20*1~NM1*PR*2*PAYER~HL*2*1*21*1~NM1*1P*2*CLINIC~HL*3*2*22*1~NM1*IL*1*DOE*JANE~EB*1**30~`
    expect(decode(interchangeOf(circle)).first).toMatchObject({
      eligibility_status: 'ACTIVE',
      plan_metadata: { payer_name: 'PAYER', subscriber: { first_name: 'JANE' } },
    })
  })

  test('with a rejection before any of them still report the rejection', () => {
    const { errors, patients } = decode(interchangeOf('AAA*Y**42*R~'))
    expect(errors).toMatchObject([{ code: '42', followup_action: 'R', location: 'Loop 2000A' }])
    expect(patients).toEqual([{ eligibility_status: 'UNKNOWN' }])
  })
})

describe('a family deductible', () => {
  test('without an individual one leaves the individual slot empty', () => {
    const rows = 'EB*1**30~EB*C*FAM*30***23*3000*****Y~MSG*DEDUCTIBLE IS MET WHEN FAMILY AMOUNT IS SATISFIED~'
    expect(decode(answerText(rows)).first.benefits?.plan_coverage?.in_network).toEqual({ deductible: { family: 3000 } })
  })
})

describe('an answer built to grow', () => {
  const dependents = (count: number) => 'HL***23~NM1*03*1*X~'.repeat(count)

  test('by repeating many rows for many dependents stays in proportion, and a family is listed in full', () => {
    const family = decode(interchangeOf(`${above}HL***22~NM1*IL*1*X~${'EB*1**30~'.repeat(60)}${dependents(6)}`))
    expect(family.patients.map(({ eligibility_status }) => eligibility_status)).toEqual(Array(6).fill('ACTIVE'))
    const flood = decode(interchangeOf(`${above}HL***22~NM1*IL*1*X~${'EB*1**30~'.repeat(20_000)}${dependents(20_000)}`))
    expect(flood.patients).toHaveLength(20_000)
    expect(flood.patients.filter(({ eligibility_status }) => eligibility_status === 'ACTIVE').length).toBeLessThan(50)
    expect(flood.warnings.join()).toContain('very many dependents')
  })

  test('by numbers for each of many services is cut, with a note', () => {
    const services = Array.from({ length: 28 }, (_, index) => index + 1).join('^')
    const row = `EB*F*IND*${services}***23*1**VS*2~${'HSD*VS*1~'.repeat(9)}${'MSG*A TEXT OF SOME LENGTH THAT EACH FIGURE REPEATS~'.repeat(200)}`
    const { benefits } = decode(answerText(`EB*1**30~${row.repeat(60)}`)).first
    const figures = benefits?.service_specific_coverage?.flatMap(({ in_network_flat }) => in_network_flat ?? []) ?? []
    expect(figures.length).toBeLessThanOrEqual(10_000)
    expect(Math.max(...figures.map(({ additional_notes }) => additional_notes?.length ?? 0))).toBeLessThan(4_200)
    expect(benefits?.notes).toContain('more figures than are listed')
  })
})
