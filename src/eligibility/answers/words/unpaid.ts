// Denials that are lists: grace periods, and payment that waits for a premium or a form. rules.md 17; decisions/0073, 0100.
import { CONDITION } from './denied.ts'
import { phrases } from './phrase-group.ts'

export const GRACE_PERIOD = phrases({
  meaning: 'the coverage is in its grace period, so that claims are held',
  source: 'Ambetter, Oscar and other exchange plans (45 CFR 156.270, grace period of members with APTC); Puerto Rico',
  says: [
    /(?<!\bNOT (?:CURRENTLY )?)\b(?:IN|WITHIN|ENTERED)(?: THE| A| AN| ITS| THEIR)?(?: [A-Z0-9-]+){0,7} GRACE PERIOD\b/,
    /\bGRACE PERIOD(?: (?:STATUS|INDICATOR|FLAG))?[ :(-]+(?:MONTH|MO \d|SECOND|THIRD|2\b|3\b|YES|Y\b|ACTIVE|ENDS|BEG[AI]NS?\b|STARTS?\b|STARTED\b)/,
    /\b(?:SECOND|THIRD|2ND|3RD) MONTH OF(?: [A-Z]+)? GRACE PERIOD\b/,
    /\bUNDETERMINED (?:DURING|IN|WITHIN|FOR|DUE TO|BECAUSE OF)(?: [A-Z]+){0,4} GRACE PERIOD\b|(?<!\bNO )\b(?:SECOND|THIRD|2ND|3RD) MONTH OF(?: PREMIUM)? NON[ -]?PAYMENT\b/,
    /\bDAYS? \d{1,2}(?: ?(?:-|TO|THROUGH) ?\d{1,2})? OF(?: [A-Z0-9-]+){0,4} GRACE\b|\bGRACE(?: PERIOD)? (?:(?:IS|NOW|CURRENTLY) )*IN (?:EFFECT|PROGRESS)\b|(?<!\bNOT (?:CURRENTLY )?)\bIN(?: (?:A|AN|THE|ITS|THEIR|\d+[ -]DAY|\d+[ -]MONTH|APTC|PREMIUM))* GRACE\W*$/,
    /\bDELINQUEN(?:T|CY) PERIOD\W*$/,
    /\bGRACE (?:MONTH [23]\b|PERIOD (?:HAS )?(?:EXPIRED|ENDED|EXHAUSTED))/,
    /\bEN (?:EL |UN )?PERIODO DE GRACIA\b|^\W*(?:(?:MEMBER|POLICY|COVERAGE|ACCOUNT) )?(?:IS )?IN GRACE\W*$/,
    /\bGRACE(?: PER(?:IOD)?)?[ :-]+MO(?:NTH)?S?[ :-]*[1-3]\b|\b(?:1ST|2ND|3RD|FIRST|SECOND|THIRD) MO(?:NTH)?(?: OF)?(?: (?:THE|APTC|PREMIUM))* GRACE\b/,
    /^\W*(?:(?:MEMBER|POLICY|COVERAGE|ACCOUNT|STATUS|APTC|HIX|HCR|QHP|ACA|EXCHANGE|MARKETPLACE|PREMIUM|IS|IN)[ :-]+)*GRACE(?: PERIOD)?\W*$/,
  ],
  unless: [CONDITION],
  examples: [
    'GRACE PERIOD MO 3: CLAIMS PENDING',
    'MEMBER IS IN SECOND MONTH OF APTC GRACE PERIOD',
    'GRACE PERIOD: MONTH 2',
    'MEMBER IS IN MONTH 2 OF THE 90 DAY GRACE PERIOD',
    'MEMBER IS IN GRACE PERIOD UNTIL 03/31/2026',
    'GRACE PERIOD INDICATOR: Y',
    'APTC GRACE PERIOD BEGIN DATE 02/01/2026',
    'SECOND OR THIRD MONTH OF GRACE PERIOD',
    'EN PERIODO DE GRACIA',
    'MEMBER IS IN GRACE',
    'APTC GRACE MO 2',
    'GRACE PER MONTH 3',
    '2ND MO GRACE',
    'APTC GRACE PERIOD',
    'HIX GRACE PERIOD',
    'CLAIM DISPOSITION IS UNDETERMINED DURING THE PREMIUM PAYMENT GRACE PERIOD',
    'SECOND MONTH OF NONPAYMENT',
    'MEMBER HAS ENTERED DAY 45 OF GRACE',
    '90-DAY GRACE PERIOD IN EFFECT',
    'CURRENTLY IN 90 DAY GRACE',
    'APTC DELINQUENCY PERIOD',
  ],
  counterexamples: [
    'GRACE PERIOD 31 DAYS',
    'NOT IN GRACE PERIOD',
    'GRACE PERIOD INDICATOR: N',
    'GRACE PERIOD IS 31 DAYS',
  ],
})

/** Coverage of something else. */
const OTHER_COVERAGE = /\b(?:DENTAL|VISION|PHARMACY)\b/

const OTHER_INSURANCE = '(?:COB|COORDINATION OF BENEFITS|OTHER (?:HEALTH )?(?:INSURANCE|COVERAGE))'

export const UNPAID_UNTIL = phrases({
  meaning:
    'nothing is paid until a premium is, or until a form is received: a condition, and yet a statement about the coverage',
  source: 'Ambetter, Molina and Florida Blue exchange plans; COB questionnaires of BCBS plans',
  says: [
    {
      at: /\b(?:UNTIL|UNLESS|BEFORE)\b/,
      before: [/\b(?:NOT|NO|SUSPENDED|PENDED|PENDING|HELD|ON HOLD|DENIED)\b/],
      after: [/\b(?:PREMIUMS?|PAYMENT) (?:IS|ARE|HAS BEEN|HAVE BEEN|RECEIVED|PAID)\b/],
    },
    { at: /\b(?:UNTIL|UNLESS|BEFORE)\b/, before: [/\bMUST PAY\b/, /\bPREMIUMS?\b/], after: [] },
    {
      at: /\b(?:UNTIL|UNLESS|PENDING RECEIPT OF|PENDING RETURN OF)\b/,
      before: [
        /\b(?:CLAIMS?|BENEFITS|PAYMENTS?|SERVICES)\b/,
        /\b(?:DENY|DENIED|DENIES|PEND|PENDS|PENDED|HELD|SUSPENDED|REJECT(?:ED)?|NOT (?:BE )?(?:PAID|PAYABLE|PROCESSED|CONSIDERED|COVERED))\b/,
      ],
      after: [
        /\b(?:COB|OTHER (?:HEALTH )?(?:INSURANCE|COVERAGE)|COORDINATION OF BENEFITS|QUESTIONNAIRE|ENROLLMENT|MEMBER (?:CALLS|CONTACTS|RESPONDS|UPDATES))\b/,
      ],
    },
    new RegExp(
      `\\b${OTHER_INSURANCE} (?:QUESTIONNAIRES?|FORMS?|LETTERS?|SURVEYS?|INQUIRY|UPDATE|INFO(?:RMATION)?)(?: (?:IS|ARE|STILL|NOW))* (?:OUTSTANDING|OVERDUE|PAST DUE|UNANSWERED|MISSING)\\b`,
    ),
    {
      at: /\bNO (?:RESPONSE|REPLY|ANSWER)\b/,
      before: [new RegExp(`\\b${OTHER_INSURANCE}\\b`)],
      after: [/\b(?:DENIED|PENDED|HELD|SUSPENDED)\b/],
    },
    {
      at: /\bUNTIL (?:IT IS |THEY ARE )?(?:RECEIVED|RETURNED|COMPLETED)\b/,
      before: [/\b(?:CLAIMS?|BENEFITS|PAYMENTS?) (?:(?:ARE|IS|WILL BE) )?(?:DENIED|PENDED|HELD|SUSPENDED)\b/],
      after: [],
    },
  ],
  unless: [OTHER_COVERAGE],
  examples: [
    'SERVICES ARE NOT PAYABLE UNTIL PREMIUM IS PAID',
    'MEMBER MUST PAY PREMIUM BEFORE SERVICES ARE COVERED',
    'CLAIMS SUSPENDED UNTIL PREMIUM IS RECEIVED',
    'CLAIMS WILL DENY UNTIL MEMBER COMPLETES COB QUESTIONNAIRE',
    'BENEFITS NOT PAYABLE UNTIL OTHER INSURANCE INFORMATION IS RECEIVED',
    'COB QUESTIONNAIRE OUTSTANDING',
    'COB LETTER SENT 01/05/2026, NO RESPONSE, CLAIMS DENIED',
    'CLAIMS PENDED UNTIL RECEIVED',
  ],
  counterexamples: [
    'DENTAL CLAIMS ARE NOT PAYABLE UNTIL PREMIUM IS PAID',
    'REFERRAL IS REQUIRED BEFORE THE VISIT',
    'CLAIMS MUST BE FILED BEFORE 12/31/2026',
    'COB INFORMATION ON FILE',
  ],
})
