import { describe, expect, it } from 'vitest'
import { parseBody } from './body-reader.ts'

const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}"[{"${']}'.repeat(levels / 2)}`

describe('a JSON body', () => {
  it('is taken with 30 levels and refused with 50, also under a key that no schema knows', () => {
    expect(parseBody(`{"free":${nested(30)}}`)).toEqual({ free: JSON.parse(nested(30)) })
    expect(() => parseBody(`{"value":"fine","unknown":${nested(50)}}`)).toThrow('the body is nested too deeply')
    expect(() => parseBody('['.repeat(100_000))).toThrow('the body is nested too deeply')
  })

  it('may hold any number of brackets and quotes in its strings', () => {
    const text = JSON.stringify({ value: '[{"\\"'.repeat(100), other: '\\' })
    expect(parseBody(text)).toEqual(JSON.parse(text))
  })

  it('that is none is refused without being quoted', () => {
    expect(() => parseBody('{"value": secret}')).toThrow(/^the body is not valid JSON$/)
  })
})
