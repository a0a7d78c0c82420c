// One GET after the other from a separate process, so that the benchmark's own work on large answers does not count as a wait.
// From an address of its own, because callers of one address share turns (read-in-turns.ts). Arguments: URL and headers as JSON. Starts and stops on a message; then sends the time of each GET in milliseconds.
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

const [url = '', headers = '{}'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' })
let isWatching = false

process.on('message', (message) => {
  isWatching = message === 'start'
  if (isWatching) void watch()
})

async function watch(): Promise<void> {
  const waits: number[] = []
  while (isWatching) {
    const began = performance.now()
    const [response] = (await once(get(url, { agent, headers: JSON.parse(headers) }), 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    if (response.statusCode !== 200) throw new Error(`the other organization was answered ${response.statusCode}`)
    waits.push(performance.now() - began)
  }
  process.send?.(waits)
}
