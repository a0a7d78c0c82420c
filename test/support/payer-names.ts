// Some 300 payers as in a real directory: national names, the Blues and the Medicaid of every state, regional plans. The names
// are real, because real names differ by one word or one letter. The ids are invented.

import type { DirectoryPayer } from '../../src/payers/directory-payer.ts'
import { chanceFor } from '../../src/tools/seed/chance.ts'

const STATES =
  `Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois
Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska
Nevada New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island
South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming`
    .split(/\s+/)
    .map((state) => state.replace('_', ' '))

/** The states of each payer name, with `*` in place of the state. */
const IN_STATES: Record<string, string[]> = {
  'Blue Cross Blue Shield of *': STATES,
  '* Medicaid': STATES,
  'Delta Dental of *': STATES.filter((_, index) => index % 2 === 0),
  'UnitedHealthcare Community Plan of *': [
    'Arizona',
    'Florida',
    'Hawaii',
    'Kansas',
    'Maryland',
    'Michigan',
    'Ohio',
    'Texas',
  ],
  'Aetna Better Health of *': ['Florida', 'Illinois', 'Kentucky', 'Louisiana', 'Michigan', 'Ohio', 'Texas', 'Virginia'],
  'Molina Healthcare of *': ['California', 'Illinois', 'Michigan', 'New Mexico', 'Ohio', 'Texas', 'Utah', 'Washington'],
  'Ambetter of *': ['Alabama', 'Arkansas', 'Georgia', 'Illinois', 'Kansas', 'North Carolina', 'Tennessee'],
  'Medicare Part B *': ['Alabama', 'Florida', 'Georgia', 'Texas', 'Ohio', 'Oregon', 'Utah'],
}

/** `name; another name; …` */
const OTHERS = `Aetna; Aetna Health Plans; Aetna US Healthcare
Cigna; Cigna HealthCare; Connecticut General
Humana; Humana Health Plan; Humana Gold Plus
UnitedHealthcare; United Health Care; UHC Commercial
Medicare; CMS Medicare; Centers for Medicare and Medicaid Services
Anthem Blue Cross of California; Blue Cross of California
Empire BlueCross BlueShield; Anthem Blue Cross and Blue Shield New York
CareFirst BlueCross BlueShield
Highmark of Pennsylvania; Highmark Blue Shield
Horizon Blue Cross Blue Shield of New Jersey; Horizon NJ Health
Independence Blue Cross; IBX
Premera Blue Cross
Regence BlueShield
Wellmark
Excellus; Univera Healthcare
Blue Shield of California
Blue Care Network
Federal Employee Program; FEP Blue
Kaiser Permanente; Kaiser Foundation Health Plan
Health Net
Centene
WellCare Health Plans
Oscar Health
Bright Health
Clover Health
Devoted Health
Alignment Healthcare
Molina Healthcare
Magellan Behavioral Health
Optum Behavioral Health; United Behavioral Health
Beacon Health Options; Carelon Behavioral Health
TRICARE East; Humana Military
TRICARE West; Health Net Federal Services
TRICARE for Life; Wisconsin Physicians Service
CHAMPVA
Veterans Affairs Community Care
Railroad Medicare; Palmetto GBA Railroad
Mutual of Omaha
Meritain Health
UMR
Golden Rule Insurance Company
All Savers Insurance
Oxford Health Plans
Harvard Pilgrim Health Care
Tufts Health Plan
Fallon Health
Point32Health
Neighborhood Health Plan of Rhode Island
ConnectiCare
EmblemHealth; Group Health Incorporated
Healthfirst
MVP Health Care
Capital District Physicians Health Plan
Independent Health
Fidelis Care
MetroPlus Health
AmeriHealth Caritas
AmeriHealth New Jersey
Keystone First
Geisinger Health Plan
UPMC Health Plan
Gateway Health
Capital Blue Cross
Priority Health
Health Alliance Plan
McLaren Health Plan
Meridian Health Plan
Medical Mutual of Ohio
CareSource
Buckeye Health Plan
Paramount Health Care
SummaCare
Dean Health Plan
Quartz Health Solutions
Security Health Plan
Network Health
HealthPartners
Medica
PreferredOne
UCare
Sanford Health Plan
Avera Health Plans
Scott and White Health Plan
Superior HealthPlan
Parkland Community Health Plan
Driscoll Health Plan
Texas Childrens Health Plan
Community First Health Plans
Presbyterian Health Plan
Select Health
Intermountain Healthcare
Moda Health
Providence Health Plan
PacificSource Health Plans
Kaiser Permanente of Washington; Group Health Cooperative
Community Health Plan of Washington
Coordinated Care
LA Care Health Plan
Inland Empire Health Plan; IEHP
CalOptima
Partnership HealthPlan of California
San Francisco Health Plan
Alameda Alliance for Health
Santa Clara Family Health Plan
Sharp Health Plan
Western Health Advantage
SCAN Health Plan
Sutter Health Plus
Brown and Toland Physicians
Hill Physicians Medical Group
Heritage Provider Network
Sunshine Health
Simply Healthcare Plans
AvMed
Florida Blue
Capital Health Plan
Peach State Health Plan
Amerigroup
Absolute Total Care
Alliant Health Plans
Passport Health Plan
Louisiana Healthcare Connections
Magnolia Health
Arkansas Total Care
Home State Health
Sunflower Health Plan
Nebraska Total Care
Iowa Total Care
Friday Health Plans
Denver Health Medical Plan
Rocky Mountain Health Plans
Banner University Family Care
Mercy Care
Arizona Complete Health
Health Choice Arizona
Health Plan of Nevada
Sierra Health and Life
HMSA; Hawaii Medical Service Association
AlohaCare
Guardian Life Insurance
MetLife Dental
Principal Financial Group
Sun Life Financial
Lincoln Financial Group
Unum
Ameritas Life Insurance
DentaQuest
LIBERTY Dental Plan
VSP Vision Care
EyeMed Vision Care
Davis Vision
Superior Vision
GEHA; Government Employees Health Association
Mail Handlers Benefit Plan
NALC Health Benefit Plan
American Postal Workers Union Health Plan
AARP Medicare Supplement
Bankers Life and Casualty
Transamerica Life Insurance
Continental Life Insurance
Colonial Penn Life Insurance
State Farm Insurance
Allstate Insurance
Liberty Mutual Insurance
Progressive Insurance
Travelers Insurance
The Hartford
Zurich North America
Sedgwick Claims Management
Gallagher Bassett
Broadspire
Trustmark Health Benefits
Allied Benefit Systems
HealthEZ
HealthSmart Benefit Solutions
WebTPA
Cerpass
Christian Healthcare Ministries
Samaritan Ministries
Medi-Share
Assurant Health
National General Accident
Philadelphia American Life
Loomis Benefits
Marpai Health
Lucent Health
Imagine360
Surest; Bind Benefits
Zing Health
Zurich Américaine Santé`

/** The complete list, the same in every run. */
export function realisticPayers(): DirectoryPayer[] {
  const ofStates = Object.entries(IN_STATES).flatMap(([name, states]) =>
    states.map((state) => name.replace('*', state)),
  )
  return [...ofStates, ...OTHERS.split('\n')].map((line, index) => {
    const [display_name = '', ...names] = line.split(';').map((name) => name.trim())
    return somePayer(index, { display_name, names })
  })
}

/** A payer with unique ids, derived from its number. */
export function somePayer(index: number, overrides: Partial<DirectoryPayer> = {}): DirectoryPayer {
  return {
    stedi_id: lettersOf(index),
    display_name: `Payer ${index}`,
    primary_payer_id: String(10_000 + index * 7),
    aliases: [`SX${String(index * 3).padStart(4, '0')}`],
    names: [],
    transaction_support: { eligibilityCheck: index % 5 === 0 ? 'ENROLLMENT_REQUIRED' : 'SUPPORTED' },
    ...overrides,
  }
}

function lettersOf(index: number): string {
  const chance = chanceFor('stedi id', index)
  return Array.from({ length: 5 }, () => chance.oneOf([...'BCDFGHJKLMNPQRSTVWXZ'])).join('')
}
