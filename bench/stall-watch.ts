// One GET after the other from a separate process, so that the benchmark's own work on large answers does not count as a wait.
// Arguments: URL and headers as JSON. Starts and stops on a message; then sends the time of each GET in milliseconds.
const [url = '', headers = '{}'] = process.argv.slice(2)
let isWatching = false

process.on('message', (message) => {
  isWatching = message === 'start'
  if (isWatching) void watch()
})

async function watch(): Promise<void> {
  const waits: number[] = []
  while (isWatching) {
    const began = performance.now()
    const response = await fetch(url, { headers: JSON.parse(headers) })
    await response.text()
    if (response.status !== 200) throw new Error(`the other organization was answered ${response.status}`)
    waits.push(performance.now() - began)
  }
  process.send?.(waits)
}
