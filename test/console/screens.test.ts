// What holds of the screens of the console in a real browser: access, keyboard, print, history and places.
import { lookJourneys } from './look.journeys.ts'
import { paperJourneys } from './paper.journeys.ts'
import { placeJourneys } from './place.journeys.ts'
import { recordJourneys } from './record.journeys.ts'
import { screenJourneys } from './screen.journeys.ts'
import { inBrowser } from './site.ts'

inBrowser('the console', (site) => {
  lookJourneys(site)
  paperJourneys(site)
  placeJourneys(site)
  recordJourneys(site)
  screenJourneys(site)
})
