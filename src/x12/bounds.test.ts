import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isBeyondAnswer, isBeyondWritten } from './bounds.ts'

const isa = 'ISA*00*          *00*          *ZZ*PAYER          *ZZ*CLINIC         *260601*1200*^*00501*000000007*0*P*:~'
const opening = `${isa}GS*HB*PAYER*CLINIC*20260601*1200*7*X*005010X279A1~ST*271*0001*005010X279A1~HL*1**22*0~`
const benefit =
  'EB*C*FAM*30^98^33^48^50*HM*GOLD PLAN*27*25000*.2*VS*12*Y*Y~DTP*291*RD8*20260101-20261231~MSG*SPECIALIST~'

describe('the bounds of an answer', () => {
  it('accept far more benefits than payers send', () => {
    expect(isBeyondAnswer(opening + benefit.repeat(1000))).toBe(false)
  })

  it('accept every service type listed with dates, limits, an entity and messages, several thousand segments', () => {
    const whole = `${benefit}HSD*VS*30***34*1~REF*18*GROUP~LS*2120~NM1*PRP*2*PLAN*****PI*1~LE*2120~`
    expect(isBeyondAnswer(opening + whole.repeat(740))).toBe(false)
  })

  it.each([
    ['patients', opening + 'HL*4*3*23*0~NM1*03*1*DOE*KID~'.repeat(2_000)],
    ['empty elements', `${opening}EB*1${'*'.repeat(1_400_000)}~`],
    ['tiny segments', opening + 'EB~'.repeat(500_000)],
    ['segments between line breaks', (opening + benefit.repeat(10_000)).replaceAll('~', '\n')],
    ['repetitions', `${opening}EB*1**${'30^'.repeat(300_000)}~`],
    ['text', `${opening}MSG*${'X'.repeat(2_000_000)}~`],
    ['interchanges', isa.repeat(6_000)],
    ['places that may begin an interchange', `${opening}MSG${'*ISA'.repeat(501)}~`],
  ])('reject an answer for its %s', (_, text) => {
    expect(isBeyondAnswer(text)).toBe(true)
  })

  const samples = fileURLToPath(new URL('../../../shared/eligibility/samples/271/', import.meta.url))
  it.runIf(existsSync(samples))('accept every published sample', () => {
    for (const file of readdirSync(samples)) expect(isBeyondAnswer(readFileSync(samples + file, 'latin1'))).toBe(false)
  })
})

describe('the bound on what an answer repeats', () => {
  const notes = Array.from({ length: 100 }, (_, index) => `NOTE ${index}`)

  it('accepts what ordinary rows share', () => {
    const rows = Array.from({ length: 2_000 }, () => [{ notes, plan: 'GOLD PLAN' }, 1] as const)
    expect(isBeyondWritten(rows)).toBe(false)
  })

  it.each<[string, [unknown, number][]]>([
    ['a list that thousands of rows share', Array.from({ length: 3_000 }, () => [{ notes }, 1])],
    ['a long text that a hundred rows share', [[{ text: 'X'.repeat(50_000) }, 100]]],
    ['very many empty values', [[[Array(1_000).fill(null)], 1_000]]],
  ])('rejects %s', (_, parts) => {
    expect(isBeyondWritten(parts)).toBe(true)
  })
})
