// A slow payer: answers every CORE real-time request with a 271 of 40 EB rows about the requested person. A GET returns the largest
// number of requests that were open at the same time, and the mean time from receiving to answering since the previous GET: a timer is late, and more so on a busy machine.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { message } from './decoding.ts'

const pauseMs = Number(process.argv[2])
const template = message()
const envelope = (payload: string) => `<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>
<ns:COREEnvelopeRealTimeResponse xmlns:ns="http://www.caqh.org/SOAP/WSDL/CORERule2.2.0.xsd"><PayloadType>X12_271_Response_005010X279A1</PayloadType>
<ProcessingMode>RealTime</ProcessingMode><PayloadID>f81d4fae-7dec-11d0-a765-00a0c91e6bf6</PayloadID><TimeStamp>2026-03-10T12:00:00Z</TimeStamp>
<SenderID>PAYER</SenderID><ReceiverID>ANTEROOM</ReceiverID><CORERuleVersion>2.2.0</CORERuleVersion><Payload><![CDATA[${payload}]]></Payload>
<ErrorCode>Success</ErrorCode><ErrorMessage></ErrorMessage></ns:COREEnvelopeRealTimeResponse></soap:Body></soap:Envelope>`

let [current, peak] = [0, 0]
let [answers, spentMs] = [0, 0]

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    const meanMs = spentMs / answers
    answers = 0
    spentMs = 0
    return response.end(JSON.stringify({ peak, meanMs }))
  }
  const received = performance.now()
  peak = Math.max(peak, ++current)
  response.once('close', () => (current -= 1))
  const asked = await text(request)
  const trace = /TRN\*1\*(\w+)/.exec(asked)?.[1] ?? ''
  const patient = /NM1\*IL\*1\*[^~]*/.exec(asked)?.[0] ?? ''
  const birth = /DMG\*D8\*\d{8}/.exec(asked)?.[0] ?? ''
  const answer = template
    .replace(/~NM1\*IL[^~]*/, `~TRN*2*${trace}*9ANTEROOM0~${patient}`)
    .replace(/DMG\*D8\*\d{8}/, birth)
  if (pauseMs > 0) await delay(pauseMs)
  answers += 1
  spentMs += performance.now() - received
  return response.writeHead(200, { 'content-type': 'application/soap+xml' }).end(envelope(answer))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
