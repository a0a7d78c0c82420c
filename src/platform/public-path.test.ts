import { expect, it } from 'vitest'
import { publicPath } from './public-path.ts'

it.each([
  [undefined, ''],
  ['https://clinic.example', ''],
  ['https://clinic.example/', ''],
  ['https://clinic.example/pre/visits/', '/pre/visits'],
  ['https://clinic.example/front%20desk', '/front%20desk'],
  ['https://clinic.example/front desk', '/front%20desk'],
  ['https://clinic.example/praxis-müller', '/praxis-m%C3%BCller'],
  ["https://clinic.example/a&b'c$&d(e)", '/a%26b%27c%24%26d%28e%29'],
  ['https://clinic.example//other.example/', '/other.example'],
])('pages behind %s have their links below %j', (publicUrl, path) => {
  expect(publicPath(publicUrl)).toBe(path)
})
