import { readEnvelope } from '../../src/x12/envelope.ts'
import type { PatientResponse, Response } from '../../src/x12/model.ts'
import { readResponse } from '../../src/x12/response-reader.ts'

/** Invented segments of a payer and a provider level. */
const PAYER_AND_PROVIDER = `HL*1**20*1~NM1*PR*2*NORTHWIND HEALTH*****PI*NWH01~
HL*2*1*21*1~NM1*1P*2*HARBOR CLINIC*****XX*1999999984~`

/** A member level without benefits. */
export const SUBSCRIBER = `HL*3*2*22*0~TRN*2*TRACE-1*9ANTEROOM1~NM1*IL*1*MARLOWE*IRIS*Q***MI*NW-100200~
N3*4 QUAY ST~N4*PORTLAND*ME*04101~DMG*D8*19840229*F~`

/** The check that answers about this member are for. */
export const REQUEST = {
  payerId: 'P1',
  provider: { npi: '1999999984' },
  subscriber: { memberId: 'NW-100200', firstName: 'Iris', lastName: 'Marlowe', dateOfBirth: '1984-02-29' },
  dateOfService: '2026-03-09',
  serviceTypeCodes: ['30'],
}

/** A whole interchange around the segments that follow BHT. */
export function interchangeOf(body: string, options: { setId?: string; usage?: 'P' | 'T' } = {}): string {
  const { setId = '271', usage = 'T' } = options
  const segments = `ST*${setId}*0001*005010X279A1~BHT*0022*11*REF-1*20260301*0930~${body}`
  const count = segments.split('~').filter((segment) => segment.trim() !== '').length + 1
  return `ISA*00*          *00*          *ZZ*NORTHWIND      *ZZ*ANTEROOM       *260301*0930*^*00501*000000042*0*${usage}*:~
GS*${setId === '270' ? 'HS' : 'HB'}*NORTHWIND*ANTEROOM*20260301*0930*42*X*005010X279A1~
${segments}SE*${count}*0001~GE*1*42~IEA*1*000000042~`
}

/** An interchange about one subscriber: level segments (REF, DTP, AAA) and EB rows. */
export function answerText(rows: string, member: string = SUBSCRIBER): string {
  return interchangeOf(`${PAYER_AND_PROVIDER}${member}${rows}`)
}

/** The parsed answer. */
export function readAnswer(text: string): Response {
  return readResponse(readEnvelope(text).transactions[0]!)
}

/** The only patient of an answer with these EB rows and their subordinate segments. */
export function answerAbout(rows: string, member?: string): PatientResponse {
  return readAnswer(answerText(rows, member)).patients[0]!
}
