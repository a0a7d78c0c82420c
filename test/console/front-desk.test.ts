// The day of a front desk in a real browser: the board, visits, answers of payers, and lists of patients.

import { boardJourneys } from './board.journeys.ts'
import { deskDayJourneys } from './desk-day.journeys.ts'
import { payerAnswerJourneys } from './payer-answer.journeys.ts'
import { inBrowser } from './site.ts'
import { visitsJourneys } from './visits.journeys.ts'

inBrowser('the front desk', (site) => {
  payerAnswerJourneys(site)
  boardJourneys(site)
  deskDayJourneys(site)
  visitsJourneys(site)
})
