// A real OpenID Connect provider on this machine, which treats every visitor as signed in.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

interface ProvidedPerson {
  name?: string
  preferred_username?: string
  email?: string
  groups?: string[]
}

export interface IdentityProvider {
  issuer: string
  client: { id: string; secret: string }
  /** By subject. */
  people: Map<string, ProvidedPerson>
  /** Answers in place of the provider, by path. */
  instead: Map<string, () => string>
  /** The subject whom the provider signs in on the next visit of a browser. */
  setPresent(subject: string): void
  /** Follows the redirect to `url` as a browser of this user, and returns the callback URL. */
  visit(url: string, subject: string): Promise<string>
  close(): Promise<void>
}

const client = { id: 'anteroom', secret: 'a secret of the tests: +%&' }

/** `redirectUri`: the callback URL. */
export async function openIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const people = new Map<string, ProvidedPerson>()
  let present = ''
  // An idle connection is never closed: in a process that was held up, this would be noticed only by the next request.
  const server = createServer({ keepAliveTimeout: 0 })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configuration(redirectUri, people))
  const answer = provider.callback()
  const instead = new Map<string, () => string>()
  server.on('request', (request, response) => {
    const text = instead.get(request.url ?? '')?.()
    if (text !== undefined) return response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: present } })
  })
  return {
    issuer,
    client,
    people,
    instead,
    setPresent(subject) {
      present = subject
    },
    async visit(url, subject) {
      present = subject
      return follow(url, issuer)
    },
    close: () => closeServer(server),
  }
}

function configuration(redirectUri: string, people: Map<string, ProvidedPerson>): object {
  return {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    ttl: { AccessToken: 60, IdToken: 60, Grant: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['of the tests'] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people.get(id) }),
    }),
    // Every user has given consent already.
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  }
}

interface Context {
  oidc: {
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } }
    client: { clientId: string }
    session: { accountId: string }
  }
}

/** Follows the provider's pages, with its cookies, until it redirects to another site. */
async function follow(start: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let steps = 0; steps < 10 && url.startsWith(issuer); steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const to = reply.headers.get('location')
    if (!to) throw new Error(`the provider answered ${reply.status} ${(await reply.text()).slice(0, 500)}`)
    url = new URL(to, url).href
  }
  return url
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
}
