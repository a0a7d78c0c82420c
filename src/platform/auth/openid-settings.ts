// The identity provider of the installation, as the settings name it. decisions/0059-openid-connect.md
import type { Config } from '../../config.ts'
import { publicPath } from '../public-path.ts'
import { StartupError } from '../startup-error.ts'
import { isRole, ROLES, type Role } from './roles.ts'

export interface OpenIdSettings {
  issuer: URL
  clientId: string
  clientSecret: string
  /** The id or name of the organization whose users sign in. */
  organization: string
  /** The provider's name on the sign-in screen. */
  name: string
  roleClaim: string
  /** The role for each value of the claim; the first match applies. */
  roles: readonly { value: string; role: Role }[]
  /** Where the provider sends browsers back to. */
  redirectUri: string
  /** The path of the console. */
  consolePath: string
}

export const OPENID_PATH = '/anteroom/v1/session/openid'
export const CALLBACK_PATH = `${OPENID_PATH}/callback`

const NEEDED = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ORGANIZATION', 'OIDC_ROLES', 'PUBLIC_URL'] as const

/** Undefined if no provider is configured. @throws StartupError that names the missing or invalid setting, never its value. */
export function readOpenIdSettings(config: Config): OpenIdSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '', OIDC_ORGANIZATION = '' } = config
  if (OIDC_ISSUER === undefined) return undefined
  const missing = NEEDED.filter((name) => config[name] === undefined)
  if (missing.length > 0) throw new StartupError(`OIDC_ISSUER needs ${missing.join(', ')} too`)
  const issuer = new URL(OIDC_ISSUER)
  if (issuer.protocol !== 'https:' && !isLoopback(issuer)) {
    throw new StartupError('OIDC_ISSUER must be an https address, because its answers decide who may sign in')
  }
  const base = (config.PUBLIC_URL ?? '').replace(/\/+$/, '')
  return {
    issuer,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    organization: OIDC_ORGANIZATION,
    name: config.OIDC_NAME,
    roleClaim: config.OIDC_ROLE_CLAIM,
    roles: readRoles(config.OIDC_ROLES ?? ''),
    redirectUri: `${base}${CALLBACK_PATH}`,
    consolePath: `${publicPath(base)}/console/`,
  }
}

/** A loopback connection cannot be intercepted, so it may use http. */
export const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** `administrator=clinic-admins,front_desk=clinic-desk`. */
function readRoles(text: string): { value: string; role: Role }[] {
  return text.split(',').map((pair) => {
    const [role = '', ...rest] = pair.split('=')
    const value = rest.join('=').trim()
    if (!isRole(role.trim()) || value === '') {
      throw new StartupError(`OIDC_ROLES takes comma-separated role=value pairs; the roles are ${ROLES.join(', ')}`)
    }
    return { role: role.trim() as Role, value }
  })
}
