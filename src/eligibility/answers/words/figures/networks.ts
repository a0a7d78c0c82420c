// Words by which a text is about a network, or places the provider in it or outside. Source: x12-271.md 7, EB12.
import { phrases } from '../phrase-group.ts'

export const PROVIDER_OUT = phrases({
  meaning: 'the inquiring provider is out of network, which EB12 does not state',
  source: 'Aetna, Cigna, Oscar; x12-271.md 4, EB12',
  says: [
    /\b(?:PROVIDER|PROFESSIONAL|PRACTITIONER)\b.{0,40}\b(?:OUT[ -](?:OF[ -])?NETWORK|OON\b|NOT (?:IN|PARTICIPATING|CONTRACTED|A PARTICIPATING)|NON[ -]?PAR)/i,
    /\b(?:PROVIDER|NPI|CLINIC|PRACTICE|YOU)\b(?: [A-Z]+){0,2} (?:(?:DOES|DO) NOT PARTICIPATE\b|NOT (?:PAR|(?:FOUND |LISTED )?IN [A-Z ]{0,30}NETWORK|AN? (?!(?:PRIMARY|PCP|ASSIGNED|SELECTED|DESIGNATED)\b)(?:[A-Z]+ ){1,3}PROVIDER)\b|HAS NO CONTRACT\b)/i,
  ],
  unless: [
    /\b(?:IF|WHEN|WHENEVER|UNLESS|ANY|WHO|THAT|WHICH)\b|\b(?:FROM|BY|USING|WITH|SEES?|VISITS?) (?:AN? )?(?:PROVIDER|PROFESSIONAL|PRACTITIONER)\b/i,
  ],
  examples: [
    'PROVIDER IS OUT OF NETWORK FOR MEMBER',
    'Provider is not participating',
    'PROVIDER STATUS: NON-PAR',
    'PROVIDER STATUS: OON',
    'Healthcare professional is out of network based on NPI ID provided in request',
    'PROVIDER IS NOT A BLUE HPN PROVIDER',
    'RENDERING PROVIDER NOT FOUND IN SELECT NETWORK',
    'THIS PROVIDER DOES NOT PARTICIPATE IN THE NETWORK OF THE MEMBER',
    'THIS NPI IS NOT PAR WITH THE EPO',
    'PROVIDER HAS NO CONTRACT FOR THIS NETWORK',
    'YOU ARE NOT A NETWORK PROVIDER FOR THIS MEMBER',
  ],
  counterexamples: [
    'PROVIDER IS IN NETWORK',
    'OUT OF NETWORK BENEFITS',
    'IF PROVIDER IS OUT OF NETWORK THE MEMBER MAY BE BILLED',
    'SERVICES FROM A PROVIDER NOT IN THE NETWORK',
    'PROVIDER IS NOT A PRIMARY CARE PROVIDER',
    'SELECT A PROVIDER WHO IS NOT A SPECIALIST',
  ],
})

export const NOTHING_OUTSIDE = phrases({
  meaning: 'nothing is covered out of network, but emergencies',
  source: 'HMOs and EPOs that say it in place of EB01 I with EB12 N',
  says: [
    /^\W*(?:(?:THERE|PLAN|THIS|POLICY|MEMBER|PATIENT|HAS|IS|ARE|OFFERS) )*NO OUT[ -]OF[ -]NETWORK (?:BENEFITS?|COVERAGE)(?:,? (?:EXCEPT|OTHER THAN)(?: FOR| IN)?(?: AN?)? EMERGENC(?:Y|IES)(?: (?:CARE|SERVICES))?)?\W*$/i,
    /^\W*(?:OUT[ -]OF[ -]NETWORK|NON[ -]?PAR(?:TICIPATING)?)(?: (?:SERVICES|CARE|PROVIDERS|BENEFITS|CLAIMS))*(?: (?:IS|ARE))? NOT (?:COVERED|PAYABLE|AVAILABLE)\W*$/i,
  ],
  examples: [
    'NO OUT OF NETWORK BENEFITS',
    'No out-of-network coverage except emergencies',
    'OUT OF NETWORK SERVICES ARE NOT COVERED',
  ],
  counterexamples: ['NO OUT OF NETWORK DEDUCTIBLE', 'OUT OF NETWORK OFFICE VISITS NOT COVERED'],
})

const FOR = '^\\W*(?:(?:FOR|WHEN|USING|WITH|AT|APPLIES TO|THE|YOUR|AN?|INDIVIDUAL|FAMILY|NETWORK|TYPE|STATUS)[ :-]+)*'
const OF_NETWORK =
  '(?:[ :/-]+(?:PROVIDERS?|BENEFITS?|SERVICES?|CARE|FACILIT(?:Y|IES)|ONLY|INDIVIDUAL|FAMILY|DEDUCTIBLE|CO-?PAY(?:MENT)?|CO-?INSURANCE|OUT[ -]OF[ -]POCKET|OOP|MAX(?:IMUM)?|LIMIT|AMOUNT|REMAINING|VISITS?))*\\W*$'
const NOT_IN = '(?:OUT[ -](?:OF[ -])?NETWORK|OON|NON[ -]?PAR(?:TICIPATING)?|NON[ -]NETWORK|NOT IN[ -]NETWORK)'
const WITHIN = '(?:IN[ -]NETWORK|INN|PAR(?:TICIPATING)?)'

export const IN_THE_NETWORK = phrases({
  meaning: 'a row is about the network, in place of EB12',
  source: 'TPAs and regional plans that leave EB12 blank; x12-271.md 4, EB12',
  says: [new RegExp(`${FOR}${WITHIN}${OF_NETWORK}`, 'i')],
  examples: ['IN NETWORK', 'In-Network Providers', 'INN DEDUCTIBLE', 'FOR PARTICIPATING PROVIDERS'],
  counterexamples: ['IN NETWORK DEDUCTIBLE APPLIES', 'PROVIDER IS IN NETWORK', 'IN NETWORK SPECIALIST', 'INNER EAR'],
})

export const OUT_OF_THE_NETWORK = phrases({
  meaning: 'a row is about care out of network, in place of EB12',
  source: 'TPAs and regional plans that leave EB12 blank; x12-271.md 4, EB12',
  says: [new RegExp(`${FOR}${NOT_IN}${OF_NETWORK}`, 'i')],
  examples: [
    'OUT OF NETWORK',
    'OON',
    'Non-Participating Provider',
    'NON-NETWORK BENEFITS',
    'OUT OF NETWORK COINSURANCE',
  ],
  counterexamples: ['OUT OF NETWORK DEDUCTIBLE WAIVED', 'PROVIDER IS OUT OF NETWORK', 'NO OUT OF NETWORK BENEFITS'],
})

export const BOTH_NETWORKS = phrases({
  meaning: 'a row is about care in and out of network alike, in place of EB12',
  source: 'TPAs and regional plans that leave EB12 blank; x12-271.md 4, EB12',
  says: [new RegExp(`${FOR}(?:IN|${WITHIN}) ?(?:AND|OR|&|/|\\+) ?${NOT_IN}${OF_NETWORK}`, 'i')],
  examples: ['IN AND OUT OF NETWORK', 'IN/OUT OF NETWORK', 'In-network and out-of-network', 'INN/OON'],
  counterexamples: ['NOT COVERED IN OR OUT OF NETWORK'],
})

export const OUT_OF_NETWORK = phrases({
  meaning: 'a row is about services out of network alone, which some payers send instead of EB12',
  source: 'HMOs, EPOs; decisions/0073',
  says: [/^(?!.*\bIN\b).*\b(?:OUT[ -]OF[ -]NETWORK|NON[ -]?PAR(?:TICIPATING)?)\b/i],
  examples: ['NO OUT OF NETWORK BENEFITS', 'Non-participating providers'],
  counterexamples: ['NOT COVERED IN OR OUT OF NETWORK', 'IN NETWORK'],
})
