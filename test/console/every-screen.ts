// Every screen of the console, with its forms, dialogs and messages: what must hold of all of them is looked at here.
import type { Page } from 'playwright-core'
import { appointmentBody, connectorBody, coverageBody, nameBody, patientBody } from '../support/bodies.ts'
import { verifyVisit } from '../support/clinic.ts'
import { newPerson, type Person } from '../support/people.ts'
import { giveNpi, go, type Site, verifiedVisit } from './site.ts'

/** An answer with an amount of each kind, and a warning. */
export const WHOLE_ANSWER = [
  'EB*1**30*PR*HARBOR GOLD~MSG*REFERRAL NEEDED FOR SPECIALISTS~',
  'EB*B*IND*98***27*25*****Y~EB*B*IND*98***27*40*****Y~MSG*SPECIALIST~EB*A*IND*98*****.4****N~',
  'EB*F*IND*PT***23***VS*30*Y*Y~HSD*VS*12***29~',
  'EB*C*IND*30***23*1500*****Y~EB*C*IND*30***29*400*****Y~EB*C*FAM*30***23*3000*****N~EB*C*FAM*30***24*3000*****N~',
  'EB*R**30~LS*2120~NM1*PRP*2*OTHER MUTUAL*****PI*OTHER1~LE*2120~',
].join('')

/** An answer whose texts, names and addresses of a payer have a mark. */
const markedAnswer = (mark: string) =>
  [
    `EB*1**30*PR*HARBOR GOLD${mark}~MSG*REFERRAL NEEDED FOR SPECIALISTS${mark}~`,
    `EB*B*IND*98***27*25*****Y~MSG*SPECIALIST${mark}~EB*C*IND*30***23*1500*****Y~REF*6P*G1*GROUP${mark}~`,
    `EB*R**30~LS*2120~NM1*PRP*2*OTHER MUTUAL${mark}*****PI*OTHER1~N3*1 ROAD${mark}~PER*IC**UR*javascript:ran=1~LE*2120~`,
  ].join('')

interface Screen {
  name: string
  /** The part that lies over a screen of its own: what it hides by half is looked at there. */
  part?: string
  /** In a window that shows any screen of the console to a user who has signed in. */
  show: (page: Page) => Promise<void>
}

/** A name that has no place to break, as long as several on a line. */
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)

/** An address without a screen: what is shown there is the same for all, and nothing of another screen stays open. */
const NOWHERE = '/console/nowhere'

/** Leaves a screen as its links do, because a page load takes longer than to look at the screen. What lies over it is closed first. */
async function leave(page: Page): Promise<void> {
  const over = page.locator('dialog[open], [role=dialog], [role=menu]')
  if ((await over.count()) > 0) await page.keyboard.press('Escape')
  await over.first().waitFor({ state: 'hidden' })
  await go(page, NOWHERE)
}

/**
 * The screens, and what they need, which is made by `prepare`: the user who sees all of them. `mark` is a part of every text that a user or a payer may
 * choose.
 */
export function screensOf(site: Site, mark = ''): { screens: readonly Screen[]; prepare: () => Promise<Person> } {
  let patient: string
  let other: string
  let check: string
  /** May not be billed. */
  let beneficiary: string
  let batch: string

  /** Not before all tests of the file: some begin in a clinic without an NPI. */
  async function prepare(): Promise<Person> {
    const { organizationId } = site.caller
    const chief = await newPerson(site.service, { organizationId, role: 'administrator', name: `Olu Chief${mark}` })
    await giveNpi(site)
    site.payer.answers.set('LOOK1', mark === '' ? WHOLE_ANSWER : markedAnswer(mark))
    site.payer.answers.set('LOOKQMB', 'EB*1**30*MB~EB*1**30*QM*QMB~EB*B*IND*98*MB***25~')
    beneficiary = await verifiedVisit(site, 'Seenqmb', ['Medicare', 'LOOKQMB'])
    const tag = await site.make('/tags/v1', { value: `Interpreter${mark}` })
    const note = await site.make('/notes/v1', { value: `Prefers calls in the morning.${mark}`, type: 'GENERAL' })
    const { id, version, ...body } = await site.make(
      '/patients/v1',
      patientBody({ name: nameBody('Seen', `Sia${mark}`), note_ids: [note.id], tag_ids: [tag.id] }),
    )
    patient = id
    const long = nameBody(`Seen-${LONG_NAME}`, `Sya${mark}`)
    other = (await site.make('/patients/v1', patientBody({ name: long, self_pay: true }))).id
    const coverages: string[] = []
    for (const member_id of ['LOOK1', 'LOOK2']) {
      const insurance_plan = {
        payer_name: `Payer of ${member_id}${mark}`,
        name: `Gold${mark}`,
        group_number: `G1${mark}`,
        member_id,
        payer_id: '60054',
      }
      coverages.push((await site.make('/coverages/v1', coverageBody(id, { insurance_plan }))).id)
    }
    const filing_order = { coverages }
    await site.caller.call('PUT', `/patients/v1/${id}/${version + 1}`, { ...body, filing_order })
    const start_timestamp = new Date().toISOString()
    // Wherever a name is shown, it is no reason for a screen to become wider.
    const attending_doctor = { name: nameBody(LONG_NAME, `Dora${mark}`), telecoms: [], npi: '1999999984' }
    for (const whose of [id, other]) {
      const visit = await site.make(
        '/appointments/v1',
        appointmentBody(whose, { start_timestamp, notes: `Late${mark}`, attending_doctor }),
      )
      await verifyVisit(site.caller, visit.id)
    }
    if (mark !== '') {
      const file = { file_name: `card${mark}.png`, display_name: `Front${mark}`, file_type: 'image/png' }
      const front = await site.make('/images/v1', {
        ...file,
        status: 'PENDING',
        coverage: { id: coverages[0], side: 'FRONT' },
      })
      const { pathname, search } = new URL(String(front.signed_url))
      await fetch(`${site.url}${pathname}${search}`, { method: 'PUT', body: Buffer.from('89504e470d0a1a0a', 'hex') })
    }
    const stored = await site.caller.call('GET', `/coverages/v1/${coverages[0]}`)
    check = stored.body.latest_eligibility_check.check_id
    await site.make('/anteroom/v1/connectors', connectorBody())
    await site.make('/anteroom/v1/webhooks', {
      url: `https://hooks.example.com/look${mark === '' ? '' : `?${mark}`}`,
      event_types: ['*'],
    })
    const subscriber = { member_id: 'LOOK1', first_name: 'Sia', last_name: 'Seen', date_of_birth: '1984-02-29' }
    const asked = { payer_id: '60054', provider: { npi: '1999999984' }, subscriber }
    batch = (await site.caller.call('POST', '/eligibility-checks/v1/batch', [asked])).body.batch_id
    return chief
  }

  /** A screen at an address, until its heading is shown, and what is opened on it. */
  const at = (
    name: string,
    place: () => string,
    open: (page: Page) => Promise<unknown> = async () => {},
    part?: string,
  ): Screen => ({
    name,
    ...(part && { part }),
    async show(page) {
      await leave(page)
      if (place() !== NOWHERE) await go(page, `/console/${place()}`)
      // The router scrolls to where the screen was left.
      await page.evaluate('scrollTo(0, 0)')
      await open(page)
    },
  })
  const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

  const screens: Screen[] = [
    at(
      'today',
      () => 'today',
      (page) => page.getByRole('row', { name: /Seen, Sia/ }).waitFor(),
    ),
    at(
      'visit',
      () => 'today',
      async (page) => {
        await page
          .getByRole('row', { name: /Seen, Sia/ })
          .getByRole('cell')
          .first()
          .click()
        await page.getByRole('complementary', { name: 'Visit' }).getByText('View response').first().waitFor()
      },
      'aside',
    ),
    at(
      'visit-not-billed',
      () => 'today?text=Seenqmb',
      async (page) => {
        await page
          .getByRole('row', { name: /Seenqmb/ })
          .getByRole('cell')
          .first()
          .click()
        await page.getByRole('complementary', { name: 'Visit' }).getByText('Do not bill the patient').waitFor()
      },
      'aside',
    ),
    at(
      'response-not-billed',
      () => `patients/${beneficiary}`,
      async (page) => {
        await page
          .getByRole('link', { name: /^View response/ })
          .first()
          .click()
        await page.getByText('Do not bill the patient').waitFor()
      },
    ),
    at(
      'patient-self-pay',
      () => `patients/${other}`,
      async (page) => {
        await page.getByRole('button', { name: 'Mark ready' }).waitFor()
      },
    ),
    at('saved-view', () => 'today?queue=exceptions', button('Save this view…')),
    at('no-visits', () => 'today?day=2031-01-01'),
    at(
      'search',
      () => 'today',
      async (page) => {
        await page.keyboard.press('Control+k')
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('combobox').fill('seen')
        await dialog.getByRole('option').first().waitFor()
      },
    ),
    at(
      'keys',
      () => 'today',
      async (page) => {
        await page.getByRole('row', { name: /Seen, Sia/ }).waitFor()
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      },
    ),
    at('user-menu', () => 'today', button('Olu Chief'), 'header'),
    at('week', () => 'week'),
    at('patient', () => `patients/${patient}`),
    ...['details', 'visits', 'notes', 'timeline', 'history'].map((tab) =>
      at(`patient-${tab}`, () => `patients/${patient}?tab=${tab}`),
    ),
    at('check-run', () => `patients/${patient}`, button(/^Check eligibility/)),
    at('coverage-form', () => `patients/${patient}`, button(/^Edit/)),
    at('new-coverage', () => `patients/${patient}?form=new`),
    at('find-coverage', () => `patients/${other}`, button('Find coverage')),
    at('new-visit', () => `patients/${patient}?tab=visits`, button('Add visit')),
    at('new-patient', () => 'patients/new', button('Add patient')),
    at('merge', () => `patients/${other}/merge`),
    at(
      'merge-sides',
      () => `patients/${other}/merge?other=${patient}`,
      (page) => page.getByRole('table').waitFor(),
    ),
    at('no-patient', () => 'patients/01a20644-fb6d-7020-bacd-000000000000'),
    at(
      'response',
      () => `checks/${check}`,
      (page) => page.getByRole('heading', { name: 'Copay and coinsurance' }).waitFor(),
    ),
    at('messages', () => `checks/${check}`, button(/^Show the 270/)),
    at(
      'new-batch',
      () => 'batch',
      async (page) => {
        const text = 'Payer,First Name,Last Name,Member ID,DOB\nEtna,Ada,One,M1,1980-01-02\n60054,Bea,Two,,\n'
        await page
          .getByLabel('CSV file')
          .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
        await page.getByText('cannot be checked').waitFor()
      },
    ),
    at('batch', () => `batch/${batch}?of=1`),
    at(
      'account',
      () => 'account',
      (page) => page.getByText('This session').waitFor(),
    ),
    at('second-factor', () => 'account', button('Set up')),
    ...[
      'health',
      'people',
      'clients',
      'connectors',
      'routes',
      'payers',
      'verification',
      'fields',
      'webhooks',
      'audit',
    ].map((section) => at(`admin-${section}`, () => `admin/${section}`)),
    at('webhook-form', () => 'admin/webhooks', button(/^Change https/)),
    at('deliveries', () => 'admin/webhooks', button(/^Deliveries to/)),
    at('not-found', () => NOWHERE),
  ]
  return { screens, prepare }
}
