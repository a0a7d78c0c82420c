// What holds for every kind of connector, present and future: its secrets are never shown, and no address that an organization chooses leads into
// the service's own network. Both follow from marks in its settings, which a new kind could forget. SECURITY.md; decisions/0049-administration-over-the-api.md
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import type { AskOptions } from '../../src/clearinghouses/clearinghouse.ts'
import { CONNECTOR_KINDS, type ConnectorKindName } from '../../src/clearinghouses/connector-kind-names.ts'
import { connect, schemaOfKind } from '../../src/clearinghouses/connector-kinds.ts'
import { type Networks, readNetworks } from '../../src/platform/outbound/public-address.ts'
import type { Inquiry } from '../../src/x12/model.ts'

interface Setting {
  type?: string
  'x-secret'?: boolean
  'x-address'?: boolean
  properties?: Record<string, Setting>
}

const SECRET_NAME = /(?:credential|key|pass(?:phrase|word)|secret|token)$/i
const ADDRESS_NAME = /(?:address|endpoint|host|ur[il])$/i

function textsOf({ properties = {} }: Setting, place = ''): [path: string, setting: Setting][] {
  return Object.entries(properties).flatMap(([name, setting]) => {
    const path = place + name
    return setting.properties ? textsOf(setting, `${path}.`) : setting.type === 'string' ? [[path, setting]] : []
  })
}

describe.each(CONNECTOR_KINDS)('a connector of the kind %s', (kind) => {
  const texts = textsOf(schemaOfKind(kind) as Setting)

  it('marks every setting that is a secret by its name as one that is never shown', () => {
    const secrets = texts.filter(([path]) => SECRET_NAME.test(path))
    expect(secrets.length).toBeGreaterThan(0)
    expect(secrets.filter(([, setting]) => !setting['x-secret']).map(([path]) => path)).toEqual([])
  })

  it('marks every setting that is an address by its name as one that is checked', () => {
    const addresses = texts.filter(([path]) => ADDRESS_NAME.test(path))
    expect(addresses.length).toBeGreaterThan(0)
    expect(addresses.filter(([, setting]) => !setting['x-address']).map(([path]) => path)).toEqual([])
  })

  it('connects to a name that leads into the own network only where the operator allows it', async () => {
    expect(await connectionsOf(kind, [])).toBe(0)
    expect(await connectionsOf(kind, readNetworks('any', '127.0.0.0/8,::1/128'))).toBeGreaterThan(0)
  })
})

const inquiry: Inquiry = {
  reference: 'TEST',
  traceNumber: 'TEST',
  payer: { id: '60054' },
  provider: { npi: '1999999984', organizationName: 'CLINIC' },
  subscriber: { memberId: 'T1', firstName: 'A', lastName: 'B', dateOfBirth: '1980-01-01' },
  dateOfService: '2026-03-01',
  serviceTypeCodes: ['30'],
}
const options: AskOptions = { controlNumber: 1, at: new Date(0) }

/** How many connections all operations of a connector open to this machine, whose name is in each of its addresses. */
async function connectionsOf(kind: ConnectorKindName, allowedNetworks: Networks): Promise<number> {
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0)
  await once(listener, 'listening')
  const address = `https://localhost:${(listener.address() as AddressInfo).port}`
  const { clearinghouse } = connect({ name: 'own', kind, settings: settingsAt(kind, address), allowedNetworks })
  for (const operation of Object.values(clearinghouse).filter((each) => typeof each === 'function')) {
    const result: unknown = operation(inquiry, options)
    const first = result instanceof Promise ? result : (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next()
    await first.catch(() => {})
  }
  listener.close()
  await once(listener, 'close')
  return connections
}

/** The settings that the kind requires, and every address that it has. */
function settingsAt(kind: ConnectorKindName, address: string): object {
  const schema = schemaOfKind(kind) as TObject
  const required = new Set(schema.required)
  const entries = Object.entries(schema.properties as Record<string, Setting>).flatMap(([name, setting]) => {
    if (setting['x-address']) return [[name, address]]
    if (!required.has(name)) return []
    return [[name, setting.type === 'string' ? 'ANY' : Value.Create(Type.Unsafe(setting))]]
  })
  return Object.fromEntries(entries)
}
