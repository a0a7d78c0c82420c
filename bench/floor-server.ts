// The minimum of a read: a plain Fastify route that verifies the same token and returns a constant of the same size.
import Fastify from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'

const [jwks, size] = [JSON.parse(process.argv[2] ?? ''), Number(process.argv[3])]
const keys = createLocalJWKSet(jwks)
const verified = new Map<string, number>()
const body = JSON.stringify({ filler: 'x'.repeat(size - 13) })

const app = Fastify()
app.get('/patients/v1/:id', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const until = verified.get(token)
  if (until === undefined || until < Date.now()) {
    const { payload } = await jwtVerify(token, keys, { algorithms: ['RS256'] })
    verified.set(token, Number(payload.exp) * 1000)
  }
  reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(body)
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: (app.server.address() as { port: number }).port })
