// The screens and their addresses. Each screen is a separate chunk, loaded when it is first shown.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  redirect,
} from '@tanstack/react-router'
import { readAdminSearch } from './screens/admin/admin-search.ts'
import { readBatchSearch } from './screens/batch/batch-search.ts'
import { readMergeSearch, readPatientSearch } from './screens/patient/patient-search.ts'
import { readTodaySearch } from './screens/today/today-search.ts'
import { readWeekSearch } from './screens/week/week-search.ts'
import { takePlace } from './shell/return-place.ts'
import { Shell } from './shell/shell.tsx'
import { NotFound } from './ui/not-found.tsx'
import { ScreenError } from './ui/screen-error.tsx'
import { Loading } from './ui/states.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path })

const home = createRoute({
  ...at('/'),
  beforeLoad: () => {
    const place = takePlace()
    throw place === undefined ? redirect({ to: '/today' }) : redirect({ href: place })
  },
})

/** The target after the identity provider rejected a sign-in; a signed-in user is redirected. */
const refused = createRoute({ ...at('/refused'), component: () => <Navigate to="/today" /> })

const today = createRoute({
  ...at('/today'),
  validateSearch: readTodaySearch,
  component: lazyRouteComponent(() => import('./screens/today/today.tsx'), 'Today'),
})

const week = createRoute({
  ...at('/week'),
  validateSearch: readWeekSearch,
  component: lazyRouteComponent(() => import('./screens/week/week.tsx'), 'Week'),
})

const newPatient = createRoute({
  ...at('/patients/new'),
  component: lazyRouteComponent(() => import('./screens/patient/new-patient.tsx'), 'NewPatient'),
})

const patient = createRoute({
  ...at('/patients/$patientId'),
  validateSearch: readPatientSearch,
  component: lazyRouteComponent(() => import('./screens/patient/patient.tsx'), 'PatientScreen'),
})

const merge = createRoute({
  ...at('/patients/$patientId/merge'),
  validateSearch: readMergeSearch,
  component: lazyRouteComponent(() => import('./screens/patient/merge.tsx'), 'MergeScreen'),
})

const check = createRoute({
  ...at('/checks/$checkId'),
  component: lazyRouteComponent(() => import('./screens/check/check.tsx'), 'CheckScreen'),
})

const newBatch = createRoute({
  ...at('/batch'),
  component: lazyRouteComponent(() => import('./screens/batch/new-batch.tsx'), 'NewBatch'),
})

const batch = createRoute({
  ...at('/batch/$batchId'),
  validateSearch: readBatchSearch,
  component: lazyRouteComponent(() => import('./screens/batch/batch.tsx'), 'BatchScreen'),
})

const account = createRoute({
  ...at('/account'),
  component: lazyRouteComponent(() => import('./screens/account/account.tsx'), 'Account'),
})

const adminHome = createRoute({
  ...at('/admin'),
  beforeLoad: () => {
    throw redirect({ to: '/admin/$section', params: { section: 'health' } })
  },
})

const admin = createRoute({
  ...at('/admin/$section'),
  validateSearch: readAdminSearch,
  component: lazyRouteComponent(() => import('./screens/admin/admin.tsx'), 'Admin'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    refused,
    today,
    week,
    newPatient,
    patient,
    merge,
    check,
    newBatch,
    batch,
    account,
    adminHome,
    admin,
  ]),
  basepath: new URL(document.baseURI).pathname,
  // What a screen cannot read in its address is left out, and not handed to it as it is.
  search: { strict: true },
  // Another patient, check or batch is another screen: an open form or an answer about one is never shown for the next.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: 'intent',
  // On a slow network: what was asked for is coming. After a second, so that nothing flickers on a fast one.
  defaultPendingComponent: () => <Loading what="the page" />,
  // Of the screen and not of the root, so that the navigation stays.
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** An entry of the history that a panel has made: the one before it shows the same screen without it. */
    isOfPanel?: true
  }
}
