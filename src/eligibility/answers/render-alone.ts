// How many large stored answers are rendered at a time: as JSON, and as benefit sheets. decisions/0019-fairness.md
import { createFairShare, leavingSome, oneEach } from '../../platform/fair-share.ts'
import { asOverload } from '../../platform/overload.ts'

/** One of the largest answers takes 20 MB while it is rendered, and some tenths of a second of the processor in turns. */
const renderings = createFairShare({
  places: 4,
  rule: oneEach,
  maxWaiting: 1000,
  waitingRule: leavingSome,
  patienceMs: 30_000,
})

/**
 * Renders one answer of an organization at a time. Work in turns does not bound memory: sixty answers that are asked for together would all be half rendered.
 * @throws InternalError (503) when too many wait, or too long.
 */
export function renderAlone<Rendered>(organizationId: string, render: () => Promise<Rendered>): Promise<Rendered> {
  return renderings.pass(organizationId, undefined, render).catch((error: unknown) => {
    throw asOverload(error)
  })
}
