import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../platform/package-root.ts'
import { readCoreMessage, writeEnvelope } from './envelope.ts'
import type { CoreFields, CoreForm } from './fields.ts'
import { readMultipart } from './mime.ts'
import { writeFault } from './soap.ts'
import { readXml } from './xml.ts'

const forms: CoreForm[] = ['soap12', 'soap11', 'mime']
const payload = 'ISA*00*          *00*~GS*HB*A*B~NM1*IL*1*O<&>BRIEN]]>~0012~IEA*1*000000001~'
const fields: CoreFields = {
  PayloadType: 'X12_271_Response_005010X279A1',
  ProcessingMode: 'RealTime',
  PayloadID: '5f0e7e4c-6d4e-4b9d-9d3a-0c3b8b1c9f11',
  TimeStamp: '2026-01-31T12:00:00Z',
  SenderID: 'A & B',
  ReceiverID: '0012',
  CORERuleVersion: '2.2.0',
  Payload: payload,
  ErrorCode: 'Success',
  ErrorMessage: 'None',
}

function soap(body: string): Buffer {
  return Buffer.from(`<s:Envelope xmlns:s="x"><s:Header/><s:Body>${body}</s:Body></s:Envelope>`)
}

function multipart(lines: string[], lineEnd = '\r\n'): Buffer {
  return Buffer.from(lines.join(lineEnd))
}

function payloadOf(contentType: string, body: Buffer): string | undefined {
  const reading = readCoreMessage(contentType, body)
  return reading.kind === 'envelope' ? reading.fields.Payload : undefined
}

describe.each(forms)('an envelope in %s', (form) => {
  test('reads back as written, including credentials', () => {
    const all = { ...fields, UserName: 'anteroom', Password: 'p<&>"s' }
    const message = writeEnvelope(form, 'Request', all)
    expect(readCoreMessage(message.headers['content-type'] ?? '', message.body)).toEqual({
      kind: 'envelope',
      fields: all,
    })
  })

  test('carries any printable payload unchanged', () => {
    const printable = fc.string({ unit: fc.constantFrom(...'AZ09*~:^|<>&]["\'-= \n'), minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(printable, (text) => {
        const message = writeEnvelope(form, 'Response', { ...fields, Payload: `ISA${text}IEA` })
        expect(payloadOf(message.headers['content-type'] ?? '', message.body)).toBe(`ISA${text}IEA`)
      }),
    )
  })

  test('that is cut off anywhere is never read as complete', () => {
    const message = writeEnvelope(form, 'Response', fields)
    const whole = form === 'mime' ? message.body.lastIndexOf('IEA') : message.body.lastIndexOf('>')
    const complete: number[] = []
    for (let length = 0; length < whole; length += 7) {
      const reading = readCoreMessage(message.headers['content-type'] ?? '', message.body.subarray(0, length))
      if (reading.kind === 'envelope' && reading.fields.Payload !== undefined) complete.push(length)
    }
    expect(complete).toEqual([])
  })

  test('never makes the reader throw or hang, regardless of damage', () => {
    const message = writeEnvelope(form, 'Response', fields)
    const damage = fc.array(fc.tuple(fc.nat(message.body.length), fc.uint8Array({ maxLength: 8 })), { maxLength: 8 })
    fc.assert(
      fc.property(damage, (edits) => {
        let body = message.body
        for (const [at, bytes] of edits)
          body = Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + bytes.length)])
        expect(readCoreMessage(message.headers['content-type'] ?? '', body).kind).toMatch(
          /^(envelope|fault|unreadable)$/,
        )
      }),
    )
  })
})

describe('a SOAP envelope', () => {
  test('is found under any wrapper, prefix and case', () => {
    const body = soap(`<q:realTime xmlns:q="y"><payload><PAYLOAD> ISA*1~\r\n</PAYLOAD></payload></q:realTime>`)
    expect(payloadOf('text/plain', body)).toBe(' ISA*1~\n')
  })

  test('may escape its payload instead of using CDATA, and mix both', () => {
    const body = soap('<Payload>ISA*&#x41;&#66;&amp;&lt;&unknown;<![CDATA[&amp;]]>~&#13;&#10;</Payload>')
    expect(payloadOf('text/xml', body)).toBe('ISA*AB&<&unknown;&amp;~\r\n')
  })

  test('may carry its payload as an MTOM attachment or as inline base64', () => {
    const xml = soap('<Payload><x:Include xmlns:x="xop" href="cid:p%401"/></Payload>').toString()
    const related = multipart([
      '--b',
      'Content-Type: application/xop+xml',
      '',
      xml,
      '--b',
      'Content-ID: <p@1>',
      '',
      payload,
      '--b--',
      '',
    ])
    expect(payloadOf('multipart/related; boundary="b"', related)).toBe(payload)
    expect(payloadOf('text/xml', soap(`<Payload>${Buffer.from(payload).toString('base64')}</Payload>`))).toBe(payload)
  })

  test('with two payloads yields both, so that neither is preferred by its place', () => {
    const twice = (first: string, second: string) => soap(`<Payload>${first}</Payload><Payload>${second}</Payload>`)
    expect(payloadOf('text/xml', twice('ISA*1~', 'ISA*2~'))).toBe('ISA*1~\nISA*2~')
    expect(payloadOf('text/xml', twice('<![CDATA[ISA*1~]]>', 'ISA*2~'))).toBe('ISA*1~\nISA*2~')
  })

  test('in another encoding keeps its characters', () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><Envelope><Payload>ISA*MUÑOZ~</Payload></Envelope>'
    expect(payloadOf('text/xml', Buffer.from(text, 'latin1'))).toBe('ISA*MUÑOZ~')
    expect(payloadOf('text/xml', soap('<Payload>ISA*MUÑOZ~</Payload>'))).toBe('ISA*MUÑOZ~')
  })

  test('with a document type is rejected, and its entities are never expanded', () => {
    const envelope = '<Envelope><Payload>ISA&e;&l;</Payload></Envelope>'
    for (const entity of ['e SYSTEM "file:///etc/passwd"', 'l "ll"', '% p SYSTEM "http://127.0.0.1:1/"']) {
      const reading = readCoreMessage('text/xml', Buffer.from(`<!DOCTYPE a [<!ENTITY ${entity}>]>${envelope}`))
      expect(reading).toEqual({ kind: 'unreadable', because: 'unknown' })
    }
    expect(payloadOf('text/xml', Buffer.from(envelope))).toBe('ISA&e;&l;')
  })

  test.each([
    ['deep', '<a>'.repeat(300_000)],
    ['wide', `<Envelope>${'<a/>'.repeat(300_000)}</Envelope>`],
    ['full of openings', '<'.repeat(500_000)],
    ['full of CDATA', `<a>${'<![CDATA['.repeat(100_000)}`],
    ['full of references', `<Envelope><Payload>${'&#65;'.repeat(300_000)}</Payload></Envelope>`],
    ['one long closing name', `<Envelope></${'a'.repeat(1_000_000)}`],
    ['full of boundaries', '--b\n'.repeat(200_000)],
    ['blank', ' '.repeat(1_000_000)],
    // Quadratic work on one of these would run into the test runner's time limit.
  ])('that is hostile (%s) is parsed to its end', (_, text) => {
    expect(() => readCoreMessage('multipart/form-data; boundary=b', Buffer.from(text))).not.toThrow()
  })

  test.each([
    ['soap12', 'Receiver', 'Receiver'],
    ['soap11', 'Receiver', 'Server'],
    ['soap12', 'Sender', 'Sender'],
    ['soap11', 'VersionMismatch', 'VersionMismatch'],
  ] as const)('that is a %s fault %s gives code %s and reason', (form, code, read) => {
    const message = writeFault(form, code, 'no <payer>')
    const reading = readCoreMessage(message.headers['content-type'] ?? '', message.body)
    expect(reading).toEqual({ kind: 'fault', code: read, reason: 'no <payer>' })
  })

  test('that is a fault with a subcode yields both codes', () => {
    const fault = '<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>w:FailedAuthentication</s:Value>'
    const body = soap(`${fault}</s:Subcode></s:Code><s:Reason><s:Text>no</s:Text></s:Reason></s:Fault>`)
    expect(readCoreMessage('', body)).toEqual({
      kind: 'fault',
      code: 'Sender',
      subcode: 'FailedAuthentication',
      reason: 'no',
    })
  })

  test('like the published sample of a partner is read', (context) => {
    const path = join(
      packageRoot,
      '..',
      'shared',
      'eligibility',
      'samples',
      'envelope',
      'core220-soap-realtime-request.xml',
    )
    if (!existsSync(path)) return context.skip('the shared samples are not here')
    const reading = readCoreMessage('text/xml', readFileSync(path))
    expect(reading).toMatchObject({ kind: 'envelope', fields: { PayloadID: '12121', CORERuleVersion: '2.2.0' } })
  })
})

describe('a MIME envelope', () => {
  const part = (name: string, value: string) => [`--b`, `Content-Disposition: form-data; name=${name}`, '', value]

  test.each([['\r\n'], ['\n']])(
    'is read with line ends %j, names quoted or not, extra and folded headers',
    (lineEnd) => {
      const body = multipart(
        [
          'preamble to ignore',
          ...part("'ErrorCode'", ' Success '),
          '--b',
          'Content-Type: text/plain; charset=UTF-8',
          'Content-Disposition: form-data;',
          '\tname="Payload"',
          'X-Trace: 1',
          '',
          payload,
          '--b--',
          '',
        ],
        lineEnd,
      )
      const expected = { kind: 'envelope', fields: { ErrorCode: 'Success', Payload: payload } }
      expect(readCoreMessage('multipart/form-data; charset=utf-8; boundary="b"', body)).toEqual(expected)
    },
  )

  test('is read without its final boundary, without a declared one, and with a wrong one', () => {
    const open = multipart([...part('Payload', payload), ''])
    expect(payloadOf('multipart/form-data; boundary=b', open)?.trim()).toBe(payload)
    const closed = multipart([...part('Payload', payload), '--b--', ''])
    expect(payloadOf('multipart/form-data', closed)).toBe(payload)
    expect(payloadOf('text/plain; boundary=other', closed)).toBe(payload)
  })

  test('is split only at whole lines, so that a payload may contain the boundary', () => {
    const value = 'ISA*--b~IEA'
    expect(payloadOf('multipart/form-data; boundary=b', multipart([...part('Payload', value), '--b--']))).toBe(value)
  })

  test('preserves a payload of several lines and one in base64', () => {
    const lines = 'ISA*1\nGS*2\nIEA*3\n'
    expect(payloadOf('multipart/form-data; boundary=b', multipart([...part('Payload', lines), '--b--']))).toBe(lines)
    const head = ['--b', 'Content-Disposition: form-data; name="Payload"', 'Content-Transfer-Encoding: base64', '']
    const body = multipart([...head, Buffer.from(lines).toString('base64'), '--b--'])
    expect(payloadOf('multipart/form-data; boundary=b', body)).toBe(lines)
  })
})

describe('a message larger than any envelope', () => {
  const many = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length))
  test.each([
    ['tags', `<e>${many('<a/>')}</e>`],
    ['attributes', `<e ${many('a="" ')}></e>`],
    ['attributes behind one that holds the end of a tag', `<e a=">" ${many('b="" ')}></e>`],
    ['references', `<e>${many('&amp;')}</e>`],
    ['text behind a comment that looks like CDATA', `<e><!-- <![CDATA[ -->${many('text ')}</e>`],
    ['text behind an attribute that looks like CDATA', `<e a="<![CDATA[">${many('text ')}</e>`],
    ['sections of CDATA', `<e>${many('<![CDATA[x]]>')}</e>`],
  ])('is not parsed: endless %s', (_, document) => {
    expect(readXml(document)).toBeUndefined()
  })

  test('does not include a long payload in CDATA', () => {
    expect(readXml(`<e><![CDATA[${many('<a b="&amp;">')}]]></e>`)?.text.length).toBeGreaterThan(900_000)
  })

  test('is not searched for an invalid boundary, nor read to the end of endless headers', () => {
    const long = 'b'.repeat(2_000)
    expect(
      readMultipart(`multipart/form-data; boundary=${long}`, Buffer.from(`--${long}\r\n\r\nx\r\n--${long}--`)),
    ).toBeUndefined()
    const body = Buffer.from(`--b\r\n${many('h: v\r\n')}\r\nx\r\n--b--`)
    expect(readMultipart('multipart/form-data; boundary=b', body)?.parts).toHaveLength(1)
  })
})

describe('a message that is not an envelope', () => {
  test.each([
    ['empty', ' \r\n'],
    ['html', '<!-- x --><!DOCTYPE html><html><body><br></body></html>'],
    ['html', '<HTML><h1>502</h1>'],
    ['unknown', 'Bad Gateway'],
    ['unknown', '{"code":"1"}'],
    ['unknown', '<Envelope><Body/></Envelope>'],
    ['truncated', '<s:Envelope><s:Body><Payload><![CDATA[ISA*00'],
  ])('is reported as %s', (because, text) => {
    expect(readCoreMessage('application/soap+xml', Buffer.from(text))).toEqual({ kind: 'unreadable', because })
  })

  test('is accepted when it is a bare interchange, which counts as the payload', () => {
    expect(payloadOf('application/edi-x12', Buffer.from(`\uFEFF\n${payload}`))).toBe(payload)
  })

  test('never makes the reader throw', () => {
    const types = fc.constantFrom(
      '',
      'text/xml',
      'multipart/form-data; boundary=b',
      'multipart/related; boundary="',
      'x;charset=no',
    )
    fc.assert(
      fc.property(types, fc.oneof(fc.uint8Array(), fc.string()), (type, bytes) => {
        expect(readCoreMessage(type, Buffer.from(bytes as Uint8Array)).kind).toMatch(/^(envelope|fault|unreadable)$/)
      }),
    )
  })
})

test('a part in quoted-printable is decoded: mail libraries write long lines so', () => {
  const quoted = payload.replaceAll('=', '=3D').replace('GS*', '=\r\nGS=2A').replace('NM1', 'N= \nM1')
  const lines = ['--b', 'Content-Disposition: form-data; name="Payload"']
  const encoded = [...lines, 'Content-Transfer-Encoding: Quoted-Printable', '', quoted, '--b--', '']
  expect(payloadOf('multipart/form-data; boundary=b', multipart(encoded))).toBe(payload)
  // Without the header, an equals sign is one.
  expect(payloadOf('multipart/form-data; boundary=b', multipart([...lines, '', 'ISA=2A~IEA', '--b--', '']))).toBe(
    'ISA=2A~IEA',
  )
})
