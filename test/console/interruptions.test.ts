// The console in a real browser while answers are lost, the service restarts, and others make changes.
import { liveJourneys } from './live.journeys.ts'
import { lostJourneys } from './lost.journeys.ts'
import { restartJourneys } from './restart.journeys.ts'
import { inBrowser } from './site.ts'

inBrowser('the console, interrupted,', (site) => {
  liveJourneys(site)
  lostJourneys(site)
  restartJourneys(site)
})
