import { expect, it } from 'vitest'
import { readSettings, typedOf, usedFor, withoutSecrets } from './connectors.ts'

const stored = { url: 'https://payer.test', senderId: 'S', receiverId: 'R', usage: 'T' }

it('shows the common settings as fields and all others as JSON, and reads them back as they were', () => {
  const typed = typedOf('core', stored)
  expect(typed).toMatchObject({ url: 'https://payer.test', password: '', more: '{\n  "usage": "T"\n}' })
  expect(readSettings('core', typed)).toEqual(stored)
})

it('trims what is typed, except a secret, and leaves out what is empty', () => {
  expect(readSettings('core', { url: ' https://payer.test ', username: ' ', password: ' p ' })).toEqual({
    url: 'https://payer.test',
    password: ' p ',
  })
})

it.each(['[]', '1', 'null', '{"usage"'])('does not accept %s for more settings', (more) => {
  expect(readSettings('stedi', { more })).toBeUndefined()
})

it('keeps neither secrets nor further settings, which may be secret, with a draft', () => {
  expect(withoutSecrets('availity', { clientId: 'C', clientSecret: 'S', more: '{"key":"K"}' })).toEqual({
    clientId: 'C',
  })
})

it('says which payers a connector reaches, and that it reaches none without a route', () => {
  const to = (...payers: string[]) => usedFor(payers.map((payer_id) => ({ payer_id, connector: 'main' })))
  expect([to(), to('60054'), to('60054', '87726'), to('default'), to('default', '60054')]).toEqual([
    'No payer yet. Set a payer route.',
    '1 payer with a route',
    '2 payers with a route',
    'Payers without a route (default)',
    '1 payer with a route, payers without a route (default)',
  ])
})
