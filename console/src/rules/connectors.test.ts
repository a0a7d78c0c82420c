import { expect, it } from 'vitest'
import { readSettings, typedOf, withoutSecrets } from './connectors.ts'

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
