// What holds of the screens of the console in a real browser: access, keyboard, print, history and places.
import { accessibilityJourneys } from './accessibility.journeys.ts'
import { navigationJourneys } from './navigation.journeys.ts'
import { patientHistoryJourneys } from './patient-history.journeys.ts'
import { printJourneys } from './print.journeys.ts'
import { rolesAndScriptsJourneys } from './roles-and-scripts.journeys.ts'
import { inBrowser } from './site.ts'

inBrowser('the console', (site) => {
  accessibilityJourneys(site)
  printJourneys(site)
  navigationJourneys(site)
  patientHistoryJourneys(site)
  rolesAndScriptsJourneys(site)
})
