import { decodeResponse } from '../src/eligibility/answers/decode.ts'

const BENEFITS = 40
const SECONDS = 2

/** The number of 271s with 40 EB rows that one core reads, decodes and maps a second. */
export function measureDecoding(): string[] {
  const text = message()
  const until = (seconds: number) => {
    const end = performance.now() + seconds * 1000
    let count = 0
    while (performance.now() < end) {
      decodeResponse(text, { dateOfService: '2026-06-15' })
      count++
    }
    return count / seconds
  }
  until(SECONDS / 2)
  const rate = until(SECONDS)
  const megabytes = (rate * text.length) / 1_000_000
  return [
    `| 271 of ${BENEFITS} EB rows, decoded and mapped | ${Math.round(rate)}/s | | ${(1000 / rate).toFixed(3)} ms | | ${megabytes.toFixed(1)} MB/s on one core |`,
  ]
}

/** A 271 with this number of EB rows. */
export function message(benefits = BENEFITS): string {
  const services = ['30', '1', '33', '47', '48', '50', '86', '88', '98', 'MH']
  const rows = Array.from({ length: benefits }, (_, index) => {
    const service = services[index % services.length]
    const network = index % 2 === 0 ? 'Y' : 'N'
    if (index === 0) return 'EB*1*IND*30*PR*GOLD PPO'
    if (index % 4 === 1)
      return `EB*C*${index % 8 === 1 ? 'IND' : 'FAM'}*30***${index % 3 === 0 ? '29' : '23'}*${500 + index}.50*****${network}`
    if (index % 4 === 2) return `EB*B*IND*${service}***27*${20 + index}*****${network}~MSG*SPECIALIST`
    if (index % 4 === 3) return `EB*A*IND*${service}****.2****${network}~DTP*292*RD8*20260101-20261231`
    return `EB*G*IND*30***${index % 8 === 0 ? '29' : '23'}*${5000 + index}*****${network}`
  })
  const segments = [
    'ST*271*0001*005010X279A1',
    'BHT*0022*11*REF1*20260615*1200',
    'HL*1**20*1',
    'NM1*PR*2*BENCH PAYER*****PI*12345',
    'HL*2*1*21*1',
    'NM1*1P*2*BENCH CLINIC*****XX*1999999984',
    'HL*3*2*22*0',
    'TRN*2*TRACE1*9ANTEROOM1',
    'NM1*IL*1*DOE*JANE****MI*W123456789',
    'N3*1 MAIN ST',
    'N4*ALBANY*NY*12207',
    'DMG*D8*19800101*F',
    'DTP*346*D8*20260101',
    ...rows,
  ]
  const count = segments.join('~').split('~').length + 1
  const isa =
    'ISA*00*          *00*          *ZZ*PAYER          *ZZ*ANTEROOM       *260615*1200*^*00501*000000001*0*P*:'
  return `${isa}~GS*HB*PAYER*ANTEROOM*20260615*1200*1*X*005010X279A1~${segments.join('~')}~SE*${count}*0001~GE*1*1~IEA*1*000000001~`
}
