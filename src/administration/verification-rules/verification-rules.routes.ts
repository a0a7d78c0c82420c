// The settings of an organization for verification, as `anteroom organization update` sets them.
// decisions/0049-administration-over-the-api.md
import { badRequest } from '../../contract/errors.ts'
import type { Deps } from '../../deps.ts'
import { recordWrite } from '../../platform/audit/pending.ts'
import { changeSettings, type OrganizationSettings } from '../../platform/auth/clients.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { resource } from '../../records/resource.ts'
import { isNpi, NPI_RULE } from '../../x12/npi.ts'
import * as schemas from './verification-rules.schema.ts'
import { VerificationRules } from './verification-rules.schema.ts'

type Needs = Pick<Deps, 'database'>

const read = endpoint({
  operation: 'get',
  method: 'GET',
  path: '',
  accessType: 'admin',
  summary: 'Reads how the coverages of the organization are verified before visits.',
  answer: VerificationRules,
  errors: [],
  handle: async ({ database }: Needs, { actor }) => toRules(await changeSettings(database, actor.organizationId)),
})

const update = endpoint({
  operation: 'update',
  method: 'PUT',
  path: '',
  accessType: 'admin',
  summary: 'Replaces how the coverages of the organization are verified before visits.',
  body: VerificationRules,
  answer: VerificationRules,
  errors: ['BadRequestError'],
  async handle({ database }: Needs, { actor, body }) {
    if (body.npi !== undefined && !isNpi(body.npi)) throw badRequest(`npi must be ${NPI_RULE}`)
    const { organizationId } = actor
    return database.transaction(async (transaction) => {
      const changed = await changeSettings(transaction, organizationId, toSettings(body))
      const write = { name: 'verificationRules.update', type: 'organization', ids: [organizationId] }
      await recordWrite(transaction, actor, write)
      return toRules(changed)
    })
  },
})

function toSettings(rules: VerificationRules): Partial<OrganizationSettings> {
  return {
    verification: rules.enabled,
    verification_days: rules.days_ahead,
    npi: rules.npi ?? null,
    visit_services: rules.visit_services as Record<string, string[]>,
    auto_update_benefits: rules.auto_update_benefits,
  }
}

function toRules(settings: OrganizationSettings): VerificationRules {
  return {
    enabled: settings.verification,
    days_ahead: settings.verification_days,
    ...(settings.npi !== null && { npi: settings.npi }),
    visit_services: settings.visit_services,
    auto_update_benefits: settings.auto_update_benefits,
  }
}

export const verificationRules = resource({
  path: '/anteroom/v1/verification-rules',
  group: 'verificationRules',
  about: 'How coverages are verified before visits.',
  schemas,
  routes: [
    read, // GET    /
    update, // PUT    /
  ],
})
