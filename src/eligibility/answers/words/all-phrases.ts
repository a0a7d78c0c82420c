// Every group of words that decides about coverage or its figures, by what they are searched in. Add a new wording to its group, with an
// example; the test of this folder reads each example and counterexample.

import {
  FIRST_DAY,
  FIRST_MONTH,
  LAST_DAY,
  LAST_MONTH,
  NAMED_FIRST_DAY,
  NAMED_LAST_DAY,
  NOTHING_AFTER,
  NOTHING_BEFORE,
  SPAN,
  WAITING,
} from './days/dates-in-words.ts'
import { FIRST_DAYS } from './days/first-days-of-life.ts'
import {
  DAYS_OF_FIGURE,
  FIRST_DAY_OF_FIGURE,
  LAST_DAY_OF_FIGURE,
  OTHER_YEAR,
  YEAR_OF_FIGURE,
} from './days/times-of-figures.ts'
import { DENIED } from './denials/denial-examples.ts'
import { EXHAUSTED, LISTED_DENIALS, NO_OFFICE_VISITS } from './denials/denied.ts'
import { NO_MEDICAL_CARE } from './denials/no-medical-care.ts'
import { RUN_OUT } from './denials/paid-by-others.ts'
import { NOT_AUTHORIZED, REQUIRED, RESTRICTED } from './denials/restricted.ts'
import { IN_A_PROGRAM, OUTDATED, RETROACTIVE_MONTH } from './denials/undetermined.ts'
import { GRACE_PERIOD, UNPAID_UNTIL } from './denials/unpaid.ts'
import {
  KIND_OF_CARE,
  MOST_OWED,
  NAMED_SHARE_OF_PLAN,
  OF_FAMILY,
  OF_INDIVIDUAL,
  OTHER_AMOUNT,
  PART_OF_COSTS,
  RATE_OF_VISITS,
  SOME_AGES,
  UP_TO_DAYS,
} from './figures/figure-labels.ts'
import {
  CARVED_OUT,
  COPAY_WAIVED,
  EXCLUDED,
  KIND_OF_FIGURE,
  PART_OF_SERVICE,
  SOME_DAYS,
  SOME_PROVIDERS,
  SPECIALISTS,
  WHOLE_LIMIT,
} from './figures/figures.ts'
import { COPAY_EXEMPT, OTHER_VISITS, SHARE_NOT_COLLECTED, VISITS_EXCLUDED } from './figures/kinds-of-visits.ts'
import {
  BOTH_NETWORKS,
  IN_THE_NETWORK,
  NOTHING_OUTSIDE,
  OUT_OF_NETWORK,
  OUT_OF_THE_NETWORK,
  PROVIDER_OUT,
} from './figures/networks.ts'
import { NO_SPEND_DOWN, SPEND_DOWN, SPEND_DOWN_MET } from './figures/spend-down.ts'
import { USAGE } from './figures/usage.ts'
import { LIMIT_REACHED, NEXT_TIME, USED_UP } from './figures/used-up.ts'
import {
  ADVANTAGE_NAME,
  LAST_RESORT_NAME,
  MANAGED_CARE_NAME,
  MANAGED_CARE_PROGRAM,
  MEDICAID_NAME,
  MEDICAL_IS_FFS,
  MEDICARE_NAME,
  QMB_NAME,
  SUPPLEMENT_NAME,
  SUPPLEMENT_TEXT,
} from './names/payer-names.ts'
import { MANAGED_CARE_ENROLLMENT, OTHER_INSURANCE } from './order-of-payers/pays-before.ts'
import { LABELED_FIRST, NAMED_FIRST, OTHER_FIRST, SECONDARY, THIS_SECOND } from './order-of-payers/primacy.ts'
import { FIRST_BY_NAME } from './order-of-payers/primary-by-name.ts'
import type { Phrases } from './phrase-group.ts'
import { ABROAD, NARROW_CATEGORY, ONE_CAUSE } from './programs/circumstances.ts'
import {
  ALL_BUT,
  DEPENDENTS_ONLY,
  LIMITED_TO,
  LIMITED_TO_CARE,
  NO_INSURANCE,
  ONLY,
  SUBSCRIBER_ONLY,
} from './programs/limited.ts'

/** What a group of words keeps a visit from. */
type Effect = 'NO_COVER_FOR_SERVICE' | 'OTHER_PAYER' | 'SPEND_DOWN'

/** Groups that are searched in the texts (MSG) of a plan, by the readiness issue that they are. Payer: Medicaid where it matters. */
export const TEXTS: readonly { effect: Effect; ofMedicaid?: true; groups: readonly Phrases[] }[] = [
  {
    effect: 'NO_COVER_FOR_SERVICE',
    groups: [
      DENIED,
      ...LISTED_DENIALS,
      RESTRICTED,
      GRACE_PERIOD,
      RUN_OUT,
      OUTDATED,
      RETROACTIVE_MONTH,
      IN_A_PROGRAM,
      UNPAID_UNTIL,
      EXHAUSTED,
      LAST_DAY,
      LAST_MONTH,
      FIRST_DAY,
      FIRST_MONTH,
      NOTHING_BEFORE,
      NOTHING_AFTER,
      SPAN,
      WAITING,
      NO_OFFICE_VISITS,
      NO_MEDICAL_CARE,
      LIMITED_TO,
      LIMITED_TO_CARE,
      ALL_BUT,
      ONLY,
      NO_INSURANCE,
      ABROAD,
      ONE_CAUSE,
      NARROW_CATEGORY,
    ],
  },
  {
    effect: 'OTHER_PAYER',
    groups: [OTHER_FIRST, NAMED_FIRST, LABELED_FIRST, FIRST_BY_NAME, THIS_SECOND, SECONDARY, SUPPLEMENT_TEXT],
  },
  { effect: 'OTHER_PAYER', ofMedicaid: true, groups: [MANAGED_CARE_ENROLLMENT, OTHER_INSURANCE] },
  { effect: 'SPEND_DOWN', ofMedicaid: true, groups: [SPEND_DOWN] },
]

/** Groups that are searched in other places, or that cancel another group. */
export const OTHERS = {
  'sentences about a spend-down': [NO_SPEND_DOWN],
  'sentences about a spend-down, with # for amounts and @ for dates': [SPEND_DOWN_MET],
  'names of payers': [MEDICARE_NAME, MEDICAID_NAME, LAST_RESORT_NAME],
  'names of plans': [SUPPLEMENT_NAME, ADVANTAGE_NAME, NAMED_FIRST_DAY, NAMED_LAST_DAY],
  'names of plans of Medicaid programs': [MANAGED_CARE_PROGRAM],
  'texts of Medicaid rows': [MANAGED_CARE_NAME, MEDICAL_IS_FFS, QMB_NAME],
  'texts of veterans, or with the consequence': [NOT_AUTHORIZED],
  'texts beside one that there is no referral': [REQUIRED],
  'labels of limits': [WHOLE_LIMIT, USED_UP, NEXT_TIME, LIMIT_REACHED],
  'labels of figures': [USAGE, KIND_OF_FIGURE, SOME_DAYS, PART_OF_SERVICE, SOME_AGES],
  'labels of levels': [OF_FAMILY, OF_INDIVIDUAL],
  'labels of copays': [MOST_OWED],
  'labels of other amounts': [OTHER_AMOUNT],
  'labels of shares': [NAMED_SHARE_OF_PLAN],
  'labels of visits': [RATE_OF_VISITS],
  'labels of the time of a figure': [
    OTHER_YEAR,
    YEAR_OF_FIGURE,
    FIRST_DAY_OF_FIGURE,
    LAST_DAY_OF_FIGURE,
    DAYS_OF_FIGURE,
  ],
  'labels of maximums': [PART_OF_COSTS],
  'labels of figures of the plan': [KIND_OF_CARE],
  'texts of figures per day': [UP_TO_DAYS],
  'names of a network': [IN_THE_NETWORK, OUT_OF_THE_NETWORK, BOTH_NETWORKS],
  'labels of office visits': [OTHER_VISITS],
  'texts of copays': [COPAY_EXEMPT],
  'texts of the plan about copays': [SHARE_NOT_COLLECTED],
  'texts of exclusions': [VISITS_EXCLUDED],
  'texts of figures': [SOME_PROVIDERS, PROVIDER_OUT, NOTHING_OUTSIDE, COPAY_WAIVED],
  'texts of figures for physicians': [SPECIALISTS],
  'texts in the answer about a dependent': [SUBSCRIBER_ONLY],
  'texts in the answer about a subscriber': [DEPENDENTS_ONLY],
  'texts in the answer about an infant': [FIRST_DAYS],
  'texts of services that are not covered': [OUT_OF_NETWORK, CARVED_OUT, EXCLUDED],
} satisfies Record<string, readonly Phrases[]>
