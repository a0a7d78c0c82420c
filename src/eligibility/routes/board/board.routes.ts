// Extension of the interface: a work list in few bytes and one call. decisions/0082-what-a-board-reads.md
import type { Deps } from '../../../deps.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { pageOf } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { AppointmentListQuery } from '../../../resources/lists/appointment-list.ts'
import { readListPage } from '../../../resources/lists/list.ts'
import { BoardCoverage, BoardItem, boardList } from './board-list.ts'

const getVisits = endpoint({
  operation: 'getVisits',
  method: 'GET',
  path: '/board',
  summary:
    'Lists appointments as a board shows them, with the filters and the order of `GET /lists/v1/appointment`: the appointment, and of the patient and the coverages the name, the payer, the latest check and its limits.',
  query: AppointmentListQuery,
  answer: pageOf(BoardItem),
  errors: [],
  handle: (deps: Pick<Deps, 'database' | 'vault' | 'now' | 'pageCache'>, { actor, query }) =>
    readListPage(deps, actor, boardList, query),
})

export const board = resource({
  path: '/anteroom/v1/lists',
  group: 'board',
  about: 'Appointments as a board shows them.',
  schemas: { BoardItem, BoardCoverage },
  routes: [
    getVisits, // GET    /board
  ],
})
