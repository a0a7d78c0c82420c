// The scopes of each role (decisions/0012-permissions-and-limits.md). This table is the only place that defines them.
import { ADMIN, ANY, grantedScopes, permits, type Scopes } from '../http/scopes.ts'

export const ROLES = ['front_desk', 'billing', 'administrator', 'read_only'] as const
export type Role = (typeof ROLES)[number]

const EVERYTHING_READ = `${ANY}:read`

/** Coverages, checks and related records: the work of the front desk and of billing alike. */
const COVERAGE_WORK = [
  'patients:write',
  'coverages:write',
  'eligibility-checks:write',
  'eligibility:write',
  'medicare-numbers:write',
  'images:write',
  'notes:write',
  'tags:write',
]

const SCOPES: Readonly<Record<Role, readonly string[]>> = {
  front_desk: [
    EVERYTHING_READ,
    ...COVERAGE_WORK,
    'appointments:write',
    'patient-merge:write',
    'organization-external-providers:write',
  ],
  billing: [EVERYTHING_READ, ...COVERAGE_WORK, 'diagnoses:write'],
  administrator: [EVERYTHING_READ, `${ANY}:write`, ADMIN],
  read_only: [EVERYTHING_READ],
}

export const isRole = (text: string): text is Role => ROLES.includes(text as Role)

export const scopesOf = (role: Role): readonly string[] => SCOPES[role]

const granted = new Map(ROLES.map((role) => [role, grantedScopes(scopesOf(role))]))

/** The scopes of a role; none for a role that this release does not know. */
export const grantOf = (role: string): Scopes => granted.get(role as Role) ?? new Set()

/** Whether a caller with these scopes may assign a role: only when it has every scope of the role. */
export const mayGrant = (own: Scopes, role: Role): boolean => scopesOf(role).every((scope) => permits(own, scope))
