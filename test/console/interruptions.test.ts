// The console in a real browser while answers are lost, the service restarts, and others make changes.
import { liveUpdatesJourneys } from './live-updates.journeys.ts'
import { lostAnswersJourneys } from './lost-answers.journeys.ts'
import { restartsJourneys } from './restarts.journeys.ts'
import { inBrowser } from './site.ts'
import { storedScriptsJourneys } from './stored-scripts.journeys.ts'
import { typedOnJourneys } from './typed-on.journeys.ts'

inBrowser('the console, interrupted,', (site) => {
  liveUpdatesJourneys(site)
  lostAnswersJourneys(site)
  restartsJourneys(site)
  storedScriptsJourneys(site)
  typedOnJourneys(site)
})
