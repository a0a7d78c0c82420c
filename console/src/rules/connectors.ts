// The settings of a connector in a form: the common ones as fields, the others as JSON.
import { isObject } from '../../../src/contract/is-object.ts'
import type { NewConnector, PayerRoute } from '../api/generated.ts'
import { capital } from './names.ts'

export type Kind = NewConnector['kind']
export type Typed = Record<string, string>

export interface SettingField {
  name: string
  label: string
  description?: string
  isSecret?: true
  isRequired?: true
}

interface KindForm {
  label: string
  fields: readonly SettingField[]
  /** Such a clearinghouse is tested without a payer. */
  listsPayers?: true
}

export const kinds: Record<Kind, KindForm> = {
  core: {
    label: 'CAQH CORE (SOAP or MIME)',
    fields: [
      { name: 'url', label: 'Address', description: 'https, on the public Internet', isRequired: true },
      { name: 'senderId', label: 'Sender ID', isRequired: true },
      { name: 'receiverId', label: 'Receiver ID', isRequired: true },
      { name: 'username', label: 'Username' },
      { name: 'password', label: 'Password', isSecret: true },
    ],
  },
  stedi: {
    label: 'Stedi',
    fields: [{ name: 'apiKey', label: 'API key', isSecret: true, isRequired: true }],
    listsPayers: true,
  },
  availity: {
    label: 'Availity',
    fields: [
      { name: 'clientId', label: 'Client ID', isRequired: true },
      { name: 'clientSecret', label: 'Client secret', isSecret: true, isRequired: true },
    ],
  },
}

export function typedOf(kind: Kind, settings: Record<string, unknown>): Typed {
  const names = kinds[kind].fields.map(({ name }) => name)
  const fields = names.map((name) => [name, String(settings[name] ?? '')])
  const more = Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))
  return { ...Object.fromEntries(fields), more: Object.keys(more).length > 0 ? JSON.stringify(more, null, 2) : '' }
}

/** The fields that hold no secret; further settings may hold one. */
export function withoutSecrets(kind: Kind, typed: Typed): Typed {
  const plain = kinds[kind].fields.filter(({ isSecret }) => !isSecret)
  return Object.fromEntries(plain.map(({ name }) => [name, typed[name] ?? '']))
}

/** Undefined when `more` is not a JSON object. */
export function readSettings(kind: Kind, { more = '', ...typed }: Typed): NewConnector['settings'] | undefined {
  const others = parse(more.trim() || '{}')
  if (others === undefined) return undefined
  const fields = kinds[kind].fields.flatMap(({ name, isSecret }) => {
    const text = typed[name] ?? ''
    const value = isSecret ? text : text.trim()
    return value === '' ? [] : [[name, value]]
  })
  return { ...others, ...Object.fromEntries(fields) }
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Which payers a connector reaches by the routes that lead to it. */
export function usedFor(routes: readonly PayerRoute[]): string {
  const payers = routes.filter(({ payer_id }) => payer_id !== 'default').length
  const count = payers === 0 ? [] : [payers === 1 ? '1 payer with a route' : `${payers} payers with a route`]
  const words = [...count, ...(payers < routes.length ? ['payers without a route (default)'] : [])]
  return capital(words.join(', ')) || 'No payer yet. Set a payer route.'
}
