import { codeTable } from './code-table.ts'

/** DTP01: the date of death. */
export const DATE_OF_DEATH = '442'

/** DTP01 as the keys that Stedi's JSON uses for the dates. Source: x12-271.md 3. */
export const dateNames = codeTable({
  '096': 'discharge',
  102: 'issue',
  152: 'effectiveDateOfChange',
  193: 'periodStart',
  194: 'periodEnd',
  198: 'completion',
  290: 'coordinationOfBenefits',
  291: 'plan',
  292: 'benefit',
  295: 'primaryCareProvider',
  304: 'latestVisitOrConsultation',
  307: 'eligibility',
  318: 'added',
  340: 'cobraBegin',
  341: 'cobraEnd',
  342: 'premiumPaidToDateBegin',
  343: 'premiumPaidToDateEnd',
  346: 'planBegin',
  347: 'planEnd',
  348: 'benefitBegin',
  349: 'benefitEnd',
  356: 'eligibilityBegin',
  357: 'eligibilityEnd',
  382: 'enrollment',
  435: 'admission',
  442: 'dateOfDeath',
  458: 'certification',
  472: 'service',
  539: 'policyEffective',
  540: 'policyExpiration',
  636: 'dateOfLastUpdate',
  771: 'status',
})
