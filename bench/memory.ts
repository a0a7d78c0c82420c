// Detects memory leaks: the service's resident memory after a warm-up and after each of several equal rounds.
import { type Desk, questions } from './front-desk.ts'
import { residentMegabytes } from './measure.ts'
import type { Running } from './processes.ts'

/** The first rounds fill the heap to the size at which it is collected, which is not a leak. */
const ROUNDS = 8
const REQUESTS_A_ROUND = 4000
const CONNECTIONS = 8

/** Prints one table row a round; each round sends every request of a front desk in turn. */
export async function printMemory(
  server: Running,
  { desk, token }: { desk: Desk; token: string },
  print: (text: string) => void,
): Promise<void> {
  print('\n| requests so far | resident memory of the service |\n|---|---|')
  print(`| 0 of these | ${residentMegabytes(server.pid).toFixed(0)} MB |`)
  const asked = questions.filter(({ isSlow }) => !isSlow)
  let turn = 0
  const askOn = async (until: number) => {
    while (turn < until) {
      const question = asked[turn++ % asked.length]
      const response = await fetch(server.url + question?.ask(desk, turn), {
        headers: { authorization: `Bearer ${token}` },
      })
      if (!response.ok) throw new Error(`${question?.name} answered ${response.status}`)
      await response.arrayBuffer()
    }
  }
  for (let round = 1; round <= ROUNDS; round++) {
    const until = round * REQUESTS_A_ROUND
    await Promise.all(Array.from({ length: CONNECTIONS }, () => askOn(until)))
    print(`| ${until} | ${residentMegabytes(server.pid).toFixed(0)} MB |`)
  }
}
