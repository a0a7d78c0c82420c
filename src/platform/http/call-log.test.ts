import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { CallLog, logOfCall } from './call-log.ts'

it('each line of a call names its request, whatever it consists of', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const app = Fastify({ loggerInstance: pino({ base: null }, stream), childLoggerFactory: logOfCall })
  app.get('/:name', (request, reply) => {
    if (request.log instanceof CallLog) request.log.requestId = `request ${(request.params as { name: string }).name}`
    request.log.info('a text')
    request.log.warn({ place: 1 }, 'fields and a text')
    request.log.error(new TypeError('an error'))
    request.log.child({ part: 2 }).info('of a part')
    reply.send('done')
  })
  await Promise.all(['one', 'two'].map((name) => app.inject(`/${name}`)))
  await app.close()
  for (const name of ['one', 'two']) {
    const own = lines.filter(({ request }) => request === `request ${name}`)
    const told = own.filter(({ msg }) => !/request/.test(String(msg)))
    expect(told).toMatchObject([
      { msg: 'a text', level: 30 },
      { msg: 'fields and a text', place: 1, level: 40 },
      { msg: 'an error', err: { type: 'TypeError' }, level: 50 },
      { msg: 'of a part', part: 2, level: 30 },
    ])
  }
})
