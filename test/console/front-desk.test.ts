// The day of a front desk in a real browser: the board, visits, answers of payers, and lists of patients.
import { answerJourneys } from './answer.journeys.ts'
import { boardJourneys } from './board.journeys.ts'
import { deskJourneys } from './desk.journeys.ts'
import { inBrowser } from './site.ts'
import { visitJourneys } from './visit.journeys.ts'

inBrowser('the front desk', (site) => {
  answerJourneys(site)
  boardJourneys(site)
  deskJourneys(site)
  visitJourneys(site)
})
