import type { IncomingHttpHeaders } from 'node:http'
import { type JsonObject, readJsonObject } from '../../../clearinghouses/json-values.ts'
import type { Answered } from '../answer-core.ts'
import { type Credentials, isSame } from '../check-envelope.ts'
import type { EndpointCall } from '../http.ts'
import type { Roster } from '../roster.ts'
import { answerEligibility } from './answer-eligibility.ts'
import { answerPlans } from './answer-plans.ts'
import { coordinate } from './coordinate.ts'
import { createDiscovery } from './discover.ts'
import { replyWithMessage } from './json-replies.ts'
import { listPayers, searchPayers } from './payers.ts'
import { plansPath, stediPath } from './stedi-path.ts'

type Handler = (call: EndpointCall & { json: JsonObject; id: string }) => Answered

/** Simulates Stedi over the same roster that answers CORE. The password of the credentials is the API key. */
export function createStediEndpoints(options: {
  roster: Roster
  credentials: Credentials | undefined
}): (call: EndpointCall) => Answered {
  const { roster, credentials } = options
  const discovery = createDiscovery(roster)
  const handlers: Record<string, Handler> = {
    [`POST ${plansPath}/eligibility-check`]: ({ json, at }) => answerPlans(roster, json, at),
    'POST /change/medicalnetwork/eligibility/v3': ({ json, at }) => answerEligibility(roster, json, at),
    'POST /insurance-discovery/check/v1': ({ json, at }) => discovery.start(json, at),
    'GET /insurance-discovery/check/v1/*': ({ id, at }) => discovery.find(id, at),
    'POST /coordination-of-benefits': ({ json, at }) => coordinate(roster, json, at),
    'GET /payers': ({ target }) => listPayers(roster, target.searchParams),
    'GET /payers/search': ({ target }) => searchPayers(roster, target.searchParams),
  }

  return (call) => {
    if (credentials && !isAuthorized(call.headers, credentials.password))
      return refuse(401, 'UnauthorizedException', 'The API key is not known')
    const { pathname } = call.target
    const path = pathname.startsWith(`${stediPath}/`) ? pathname.slice(stediPath.length) : pathname
    const route = `${call.method} ${path}`
    const [, parent = '', id = ''] = /^(.*)\/([^/]+)$/.exec(route) ?? []
    const handle = handlers[route] ?? handlers[`${parent}/*`]
    if (!handle) return refuse(404, 'ResourceNotFoundException', 'No such resource')
    const json = call.method === 'POST' ? readJsonObject(call.body.toString('utf8')) : {}
    if (typeof json !== 'object') return refuse(400, 'SerializationException', 'The body is not a JSON object')
    return handle({ ...call, json, id })
  }
}

function isAuthorized(headers: IncomingHttpHeaders, apiKey: string): boolean {
  return isSame((headers.authorization ?? '').replace(/^Key /, ''), apiKey)
}

function refuse(status: number, code: string, message: string): Answered {
  return { outcome: code, reply: replyWithMessage(status, code, message) }
}
