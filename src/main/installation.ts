// What an installation depends on outside its program: disks, clocks and the certificate. `doctor` and the metrics report both.
import { X509Certificate } from 'node:crypto'
import { readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { imageFolderOf } from '../platform/storage/image-folder.ts'
import { withTimeLimit } from '../platform/with-time-limit.ts'
import { READ_WITHIN_MS } from './measure-backlog.ts'

export interface Disk {
  what: string
  path: string
  name: string
}

/** The disk of DATA_DIR, and those of the embedded database and of the images where they are others; none without DATA_DIR. */
export async function disksOf(config: Config): Promise<Disk[]> {
  const { DATA_DIR } = config
  const main = await stat(DATA_DIR).catch(() => undefined)
  if (!main) return []
  const parts: Disk[] = [
    { what: 'disk of the database', path: join(DATA_DIR, 'postgresql'), name: 'the embedded database' },
    { what: 'disk of the images', path: imageFolderOf(config), name: 'the images' },
  ]
  const devices = await Promise.all(parts.map(({ path }) => stat(path).catch(() => main)))
  return [
    { what: 'disk', path: DATA_DIR, name: 'DATA_DIR' },
    ...parts.filter((_, index) => devices[index]?.dev !== main.dev),
  ]
}

/** The share that is free for this program. */
export async function freeShareOf({ path }: Pick<Disk, 'path'>): Promise<number> {
  const { bavail, blocks } = await statfs(path)
  return bavail / blocks
}

/** @throws when the file cannot be read, or is not a certificate. */
export const readX509 = async (file: string) => new X509Certificate(await readFile(file))

/** When the certificate of TLS_CERT_FILE expires, in milliseconds. */
export const certificateEndsAt = async (file: string) => Date.parse((await readX509(file)).validTo)

/** By how many seconds the clocks of this machine and of the database differ at least; what the answer takes does not count. */
export async function clockDifferenceOf(database: Pick<Database, 'row'>): Promise<number> {
  const before = Date.now() / 1000
  const [text] = (await database.row('select extract(epoch from clock_timestamp())')) ?? []
  const at = Number(text)
  return Math.max(before - at, at - Date.now() / 1000, 0)
}

/** What cannot be read is unknown: the scrape must not fail with it. */
const ifKnown = <T>(value: Promise<T>) => value.catch(() => undefined)

/** Adds the gauges of the installation, each read at every scrape; the certificate only where TLS_CERT_FILE is set. Once a process. */
export function measureInstallation(metrics: Metrics, config: Config, database: Pick<Database, 'row'>): void {
  metrics.gauge(
    {
      name: 'anteroom_database_clock_difference_seconds',
      help: 'By how much the clocks of this machine and of the database differ.',
      together: 'max',
    },
    () => withTimeLimit(READ_WITHIN_MS, ifKnown(clockDifferenceOf(database))),
  )
  metrics.gauge(
    {
      name: 'anteroom_disk_free_ratio',
      help: 'The free share of the disk of the data folder; of several the smallest.',
      together: 'min',
    },
    () =>
      ifKnown(
        disksOf(config).then(async (disks) => {
          const shares = await Promise.all(disks.map(freeShareOf))
          return shares.length > 0 ? Math.min(...shares) : undefined
        }),
      ),
  )
  const { TLS_CERT_FILE: file } = config
  if (file === undefined) return
  metrics.gauge(
    {
      name: 'anteroom_certificate_expires_timestamp_seconds',
      help: 'When the certificate of TLS_CERT_FILE expires.',
      together: 'min',
    },
    () => ifKnown(certificateEndsAt(file).then((at) => at / 1000)),
  )
}
