// Hundreds of thousands of answered eligibility checks, stored as the service stores them.
import type { Database } from '../src/platform/database/database.ts'
import { eligibilityRequestBody } from '../test/support/bodies.ts'
import { CHECK_PAYERS } from './front-desk.ts'

const CHUNK = 20_000
/** The average number of checks of a member. */
const CHECKS_A_MEMBER = 3
const PROVIDERS = 200
/** The number of past days with checks. */
const DAYS = 365

/** Adds checks to an organization up to `count`, evenly over members, payers, providers and days. */
export async function seedChecks(database: Database, organizationId: string, count: number): Promise<void> {
  const row = await database.row('select count(*) from eligibility_check where organization_id = $1', [organizationId])
  for (let from = Number(row?.[0]); from < count; from += CHUNK) {
    await insert(database, organizationId, { from, to: Math.min(from + CHUNK, count), count })
  }
}

async function insert(
  database: Database,
  organizationId: string,
  { from, to, count }: { from: number; to: number; count: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.rows('set local statement_timeout = 0')
    await transaction.rows(
      `insert into eligibility_check (organization_id, id, initiated_at, completed_at, user_id, status, request, request_key,
        date_of_service, parsed_response)
      select $1, gen_random_uuid(), at, at + interval '3 seconds', $1, 'COMPLETED',
        $2::jsonb || jsonb_build_object(
          'payer_id', ($3::text[])[1 + n % ${CHECK_PAYERS.length}],
          'provider', ($2::jsonb -> 'provider') || jsonb_build_object('npi', (1000000000 + n % ${PROVIDERS})::text),
          'subscriber', ($2::jsonb -> 'subscriber')
            || jsonb_build_object('member_id', 'W' || (n::bigint * 7919) % ($6::bigint / ${CHECKS_A_MEMBER}))
        ),
        '', to_char(at, 'YYYY-MM-DD'), $7::json
      from generate_series($4::int, $5::int - 1) n,
        lateral (select date_trunc('milliseconds', now() - n * interval '${DAYS} days' / $6::int) as at) stamp`,
      [
        organizationId,
        JSON.stringify(eligibilityRequestBody()),
        CHECK_PAYERS,
        from,
        to,
        count,
        JSON.stringify(response),
      ],
    )
  })
}

/** A response of a typical length. */
const response = {
  benefitsInformation: Array.from({ length: 20 }, (_, index) => ({
    code: '1',
    name: 'Active Coverage',
    coverageLevelCode: 'IND',
    serviceTypeCodes: [String(index)],
    serviceTypes: ['Health Benefit Plan Coverage'],
    insuranceType: 'Preferred Provider Organization (PPO)',
  })),
}
