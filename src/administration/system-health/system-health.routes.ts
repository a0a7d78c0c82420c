import { endpoint } from '../../platform/http/endpoint.ts'
import { programVersion } from '../../platform/package-root.ts'
import { resource } from '../../records/resource.ts'
import { findHealth, type HealthNeeds } from './find-health.ts'
import * as schemas from './system-health.schema.ts'
import { SystemHealth } from './system-health.schema.ts'

const read = endpoint({
  operation: 'get',
  method: 'GET',
  path: '',
  accessType: 'admin',
  summary:
    'Describes the state of the service for this organization in words: database, queue, payers, storage, webhooks, versions.',
  answer: SystemHealth,
  errors: [],
  async handle(deps: HealthNeeds, { actor }) {
    const { findings, postgresql } = await findHealth(deps, actor.organizationId)
    const versions = { anteroom: programVersion(), node: process.versions.node, ...(postgresql && { postgresql }) }
    return { findings, versions }
  },
})

export const systemHealth = resource({
  path: '/anteroom/v1/system-health',
  group: 'systemHealth',
  about: 'The state of the service.',
  schemas,
  routes: [
    read, // GET    /
  ],
})
