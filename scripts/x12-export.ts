// `npm run x12:export [-- folder]`: inquiries (.270) and answers of the sandbox (.271), one interchange a file, for any X12 validator.
// The inquiries are those of one set of requests, the answers those about every member of the roster and of every payer.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import type { EligibilityRequest } from '../src/contract/eligibility-check.schema.ts'
import { WireError } from '../src/contract/errors.ts'
import { toCheckRequest } from '../src/eligibility/checks/check-request.ts'
import { toInquiry } from '../src/eligibility/inquiries/check-inquiry.ts'
import { fitInquiry } from '../src/eligibility/inquiries/fit-inquiry.ts'
import { answerInterchange } from '../src/tools/sandbox/answer-interchange.ts'
import { type Roster, readRoster } from '../src/tools/sandbox/roster.ts'
import { writeInquiry } from '../src/x12/inquiry-writer.ts'
import { requests } from '../test/support/generated-requests.ts'

const DEFAULT_FOLDER = 'x12-export'
/** The same requests in every export, so that two of them can be compared. */
const SEED = 20261122
const REQUESTS = 1500
const AT = new Date('2026-11-22T12:00:00Z')
const DAY = '2026-11-22'
const NPI = '1999999984'
const NAMES = { payer: 'Example Payer', receiver: 'Harbor Clinic' }

/** The date in the cover, before it and long after it. */
const DAYS = [DAY, '1990-01-01', '2099-12-31']
const SERVICES = [['30'], ['98'], ['35', '88', 'PT', 'A4', 'UC', 'MH', '42', 'AG']]

interface Exported {
  inquiries: number
  answers: number
}

/** Writes all files into the folder, which is created if needed; earlier exports in it are removed. */
export async function exportInterchanges(folder: string): Promise<Exported> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) if (/^\d{5}\.27[01]$/.test(name)) await rm(join(folder, name))
  const roster = await readRoster()
  const asked = [...requestsAbout(roster), ...fc.sample(requests, { seed: SEED, numRuns: REQUESTS })]
  const count: Exported = { inquiries: 0, answers: 0 }
  for (const request of asked) {
    const inquiry = write(request, count.inquiries + 1)
    if (inquiry === undefined) continue
    count.inquiries += 1
    const name = String(count.inquiries).padStart(5, '0')
    await writeFile(join(folder, `${name}.270`), inquiry)
    const answer = answerInterchange(roster, inquiry, AT)
    if (answer.kind !== 'answered') continue
    count.answers += 1
    await writeFile(join(folder, `${name}.271`), answer.text)
  }
  return count
}

/** Every member and dependent as a patient, and a person unknown to every payer. */
function requestsAbout({ members, payers }: Roster): EligibilityRequest[] {
  const provider = { npi: NPI }
  const known = members.flatMap((member) => {
    const subscriber = { member_id: member.memberId, ...personOf(member) }
    return [undefined, ...(member.dependents ?? [])].flatMap((dependent) =>
      DAYS.flatMap((date_of_service) =>
        SERVICES.map((service_type_codes) => ({
          payer_id: member.payer,
          provider,
          subscriber,
          ...(dependent && { dependent: personOf(dependent) }),
          encounter: { date_of_service, service_type_codes },
        })),
      ),
    )
  })
  const stranger = { member_id: 'NOBODY', first_name: 'Nobody', last_name: 'Known', date_of_birth: '1980-01-01' }
  const child = { first_name: 'Nobodys', last_name: 'Child', date_of_birth: '2015-01-01' }
  const unknown = payers.flatMap(({ id: payer_id }) => [
    { payer_id, provider, subscriber: stranger },
    { payer_id, provider, subscriber: stranger, dependent: child },
  ])
  return [...known, ...unknown]
}

const personOf = ({ firstName, lastName, birthDate }: { firstName: string; lastName: string; birthDate: string }) => ({
  first_name: firstName,
  last_name: lastName,
  date_of_birth: birthDate,
})

/** The 270 of a request as every connector that speaks X12 sends it; undefined where it is refused. */
function write(request: EligibilityRequest, controlNumber: number): string | undefined {
  try {
    const checkId = `00000000-0000-7000-8000-${String(controlNumber).padStart(12, '0')}`
    const { inquiry, faults } = fitInquiry(toInquiry(toCheckRequest(request, DAY), checkId, NAMES))
    const address = { senderQualifier: 'ZZ', senderId: 'ANTEROOM', receiverQualifier: 'ZZ', receiverId: 'SANDBOX' }
    return faults.length > 0 ? undefined : writeInquiry(inquiry, { ...address, usage: 'T', controlNumber, at: AT })
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = resolve(process.argv[2] ?? DEFAULT_FOLDER)
  const { inquiries, answers } = await exportInterchanges(folder)
  console.log(`${inquiries} inquiries (.270) and ${answers} answers (.271) are in ${folder}`)
}
