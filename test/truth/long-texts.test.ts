// Texts of JSON and of payers that exceed the guide: many statements, divided in every way but with full stops. What one of them denies keeps the visit from
// READY, and what none denies does not (decisions/0209-texts-without-full-stops.md).
import { type Message, type Truth, testMessages } from '../support/payer-messages.ts'

const PLAN = 'EB*1**30*PR*GOLD PPO~'
const NO_COVER: Truth = { obstacles: ['NO_COVER_FOR_SERVICE'] }

/** Of ordinary notices. */
const NOTICES = [
  'Amounts shown here are estimates and may change with each processed claim',
  'Preventive care is paid at one hundred percent in network',
  'Deductible applies to most services performed in an outpatient setting',
  'Accumulators are updated nightly and include claims processed through yesterday',
  'This information is provided as a courtesy to providers',
  'Telehealth visits are available at all hours',
  'Prior authorization may be needed for some imaging services',
]

const DENIALS: readonly (readonly [string, Truth])[] = [
  ['Coverage terminated 02/28/2026', NO_COVER],
  ['Member is not eligible on the date of service', NO_COVER],
  ['Office visits are not covered', { ...NO_COVER, services: ['98'] }],
  ['Other insurance is primary', { obstacles: ['OTHER_PAYER'] }],
]

/** An asterisk that X12 has as its separator, and a tilde, are of the JSON forms alone, and are tried in full-stops.test.ts. */
const WAYS: Record<string, (statements: readonly string[]) => string> = {
  'with nothing': (all) => all.join(' '),
  'in capitals with nothing': (all) => all.join(' ').toUpperCase(),
  'with commas': (all) => all.join(', '),
  'with semicolons without blanks': (all) => all.join(';'),
  'with dashes': (all) => all.join(' - '),
  'with long dashes': (all) => all.join(' — '),
  'with slashes': (all) => all.join(' / '),
  'with bars': (all) => all.join(' | '),
  'with bullets': (all) => all.map((each) => `• ${each}`).join(' '),
  'with asterisks': (all) => all.join(' *** '),
  'with columns': (all) => all.join('      '),
  'with numbers': (all) => all.map((each, place) => `${place + 1}) ${each}`).join(' '),
  'with line breaks': (all) => all.join('\n'),
  'with tabs': (all) => all.join('\t'),
  'with separators of Unicode': (all) => all.join('\u2028'),
  'with tags': (all) => all.join('<br/>'),
  'with blanks that do not break': (all) => all.join('. ').replaceAll(' ', '\u00a0'),
  'with blanks that nobody sees': (all) => all.join('. ').replaceAll(' ', ' \u200b'),
}

const MESSAGES: Record<string, Message[]> = {}
for (const [way, join] of Object.entries(WAYS)) {
  // A longer first statement moves the end of a part by some characters, so that each word is cut once.
  MESSAGES[`statements divided ${way}`] = ['', 'Please note: '].flatMap((lead): Message[] => {
    const notices = [...NOTICES, ...NOTICES].map((notice, place) => (place === 0 ? lead + notice : notice))
    return [
      ['NORTHWIND', `${PLAN}MSG*${join(notices)}~`, {}],
      ...DENIALS.flatMap(([denial, truth]): Message[] => [
        ['NORTHWIND', `${PLAN}MSG*${join([...notices, denial])}~`, truth],
        ['NORTHWIND', `${PLAN}MSG*${join(notices.toSpliced(6, 0, denial))}~`, truth],
      ]),
    ]
  })
}

testMessages(MESSAGES)

testMessages({
  'lines that were broken at a width, and lines that continue': [
    [
      'NORTHWIND',
      `${PLAN}MSG*THE COVERAGE SHOWN IN THIS MESSAGE WILL BE\nTERMINATED IF THE PREMIUM FOR THE MONTH OF MAY\nIS NOT RECEIVED BY THE LAST DAY OF THE MONTH~`,
      {},
    ],
    ['NORTHWIND', `${PLAN}MSG*Coverage is terminated\nif the premium is not received~`, {}],
    ['NORTHWIND', `${PLAN}MSG*Dental\nNot covered~`, {}],
    ['NORTHWIND', `${PLAN}MSG*Acupuncture\nNo coverage\nHearing aids\nExcluded~`, {}],
    ['NORTHWIND', `${PLAN}MSG*Coverage termination\nwas reversed~`, {}],
    ['NORTHWIND', `${PLAN}MSG*Coverage has not been\nterminated~`, {}],
    ['NORTHWIND', `${PLAN}MSG*Benefits are estimates\nCoverage terminated 02/28/2026~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*PLAN STATUS:\nTERMINATED~`, NO_COVER],
    ['NORTHWIND', `${PLAN}MSG*NOT A GUARANTEE *** MEMBER TERMED ***~`, NO_COVER],
  ],
})
