// A real Prometheus, if installed, with the configuration of deploy/prometheus and another target.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../../src/platform/package-root.ts'
import { freePort } from './free-port.ts'

interface Prometheus {
  /** @throws if Prometheus refuses the query. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>
  rules(): Promise<{ name: string; health: string; state: string }[]>
  stop(): Promise<void>
}

/** Undefined if Prometheus is not installed. */
export async function startPrometheus(target: string): Promise<Prometheus | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-prometheus-'))
  await cp(packageFile('deploy', 'prometheus'), folder, { recursive: true })
  const file = join(folder, 'prometheus.yaml')
  const config = (await readFile(file, 'utf8')).replace(/targets: .*/, `targets: ['${target}']`).replaceAll('15s', '1s')
  await writeFile(file, config)
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  )
  const started = await Promise.race([
    once(child, 'spawn').then(() => true),
    once(child, 'error').then(() => false),
  ]).catch(() => false)
  const clean = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  if (!started) {
    await clean()
    return undefined
  }
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const body = (await answer.json()) as { status: string; data: never }
    if (body.status !== 'success') throw new Error(`${path}: ${JSON.stringify(body)}`)
    return body.data
  }
  return {
    async query(expression) {
      const { result } = (await read(`query?${new URLSearchParams({ query: expression })}`)) as { result: never }
      return result
    },
    async rules() {
      const { groups } = (await read('rules')) as { groups: { rules: never[] }[] }
      return groups.flatMap(({ rules }) => rules)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await clean()
    },
  }
}
