import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerText } from '../../../test/support/answers.ts'
import { readPlainFields } from './plain-envelope.ts'
import { readSoap, readSoapTree, writeSoap } from './soap.ts'

const fields = {
  PayloadType: 'X12_271_Response_005010X279A1',
  ProcessingMode: 'RealTime',
  PayloadID: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  TimeStamp: '2026-03-01T09:30:00Z',
  SenderID: 'PAYER',
  ReceiverID: 'US',
  CORERuleVersion: '2.2.0',
  ErrorCode: 'Success',
  ErrorMessage: '',
  Payload: answerText('EB*1**30~'),
}
const usual = writeSoap('soap12', 'Response', fields).body.toString('utf8')

test.each(['soap11', 'soap12'] as const)(
  'the usual envelope (%s) is read without a tree, and as the parser reads it',
  (form) => {
    const text = writeSoap(form, 'Response', fields).body.toString('utf8')
    expect(readPlainFields(text)).toEqual(fields)
    expect(readSoap(text)).toEqual(readSoapTree(text))
  },
)

test('for any modified envelope, the fields read without a tree equal those of the parser', () => {
  const pieces = [
    '<',
    '>',
    '</',
    '&amp;',
    '&',
    '<![CDATA[',
    ']]>',
    '<Payload>',
    '</Payload>',
    '<!-- -->',
    '<x/>',
    '<soap:Fault>',
    'x',
    ' ',
    '</soap:Envelope>',
    '<?pi ?>',
    '<ErrorCode>Sender</ErrorCode>',
    '<!DOCTYPE a>',
    '<html>',
  ]
  const change = fc.record({ at: fc.nat(usual.length), cut: fc.nat(40), piece: fc.constantFrom('', ...pieces) })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      let text = usual
      for (const { at, cut, piece } of changes) text = text.slice(0, at) + piece + text.slice(at + cut)
      const plain = readPlainFields(text)
      if (plain) expect(readSoapTree(text)).toEqual({ kind: 'envelope', fields: plain })
    }),
    { numRuns: 3000 },
  )
})
