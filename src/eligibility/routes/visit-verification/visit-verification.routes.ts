// Extensions of the interface: the verification of one visit on request. decisions/0055-verification-on-request.md
import { notFound } from '../../../contract/errors.ts'
import { isUuid } from '../../../contract/formats.ts'
import type { Deps } from '../../../deps.ts'
import { endpoint } from '../../../platform/http/endpoint.ts'
import { withTimeLimit } from '../../../platform/with-time-limit.ts'
import { resource } from '../../../records/resource.ts'
import { appointment } from '../../../resources/appointments/appointment.ts'
import type { VerificationNeeds } from '../../verification/determine-finding.ts'
import { readVerification } from '../../verification/verification-store.ts'
import { beginVerification } from '../../verification/verify-on-request.ts'
import { WAIT_MS } from '../request-fields.ts'
import * as schemas from './visit-verification.schema.ts'
import { VisitVerification } from './visit-verification.schema.ts'

const begin = endpoint({
  operation: 'begin',
  method: 'POST',
  path: '/:id/verification',
  addresses: { id: appointment },
  summary:
    "Verifies a visit again: checks the patient's coverages for the visit's own service, and sets the visit to READY or NOT_READY. A verification that takes longer than two seconds continues in the background and can be polled until it is no longer RUNNING. While it runs, another call sends no inquiry.",
  answer: VisitVerification,
  errors: ['BadRequestError', 'NotFoundError'],
  async handle(deps: VerificationNeeds, { actor, params, request: { log } }) {
    const id = params.id ?? ''
    const onFailure = (error: Error) =>
      log.error({ type: error.name, appointmentId: id }, 'a visit could not be verified')
    const begun = await beginVerification(deps, actor, id, onFailure)
    if (begun) {
      deps.background.carry(begun.work.catch(onFailure), begun.handOver)
      await withTimeLimit(WAIT_MS, begun.work)
    }
    return readState(deps, actor.organizationId, id)
  },
})

const read = endpoint({
  operation: 'get',
  method: 'GET',
  path: '/:id/verification',
  addresses: { id: appointment },
  summary: 'Returns the state of the latest verification of a visit.',
  answer: VisitVerification,
  errors: ['NotFoundError'],
  handle: (deps: Pick<Deps, 'database'>, { actor, params }) => readState(deps, actor.organizationId, params.id ?? ''),
})

/** @throws NotFoundError for another organization's visit as well, and for one that was never verified. */
async function readState(deps: Pick<Deps, 'database'>, organizationId: string, id: string): Promise<string> {
  const state = isUuid(id) ? await readVerification(deps, organizationId, id) : undefined
  if (state === undefined) throw notFound('Verification')
  return state
}

export const visitVerification = resource({
  path: '/anteroom/v1/appointments',
  group: 'visitVerification',
  about: 'Verification of a visit on request.',
  schemas,
  routes: [
    begin, // POST   /:id/verification
    read, // GET    /:id/verification
  ],
})
