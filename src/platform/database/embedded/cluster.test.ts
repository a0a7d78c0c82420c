import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sharedBuffersMb } from './cluster.ts'
import { openEmbedded } from './embedded.ts'

it.each([
  [0.5, 128],
  [1, 128],
  [2, 256],
  [4, 512],
  [64, 512],
])('the embedded database on a machine of %d GB gets %d MB of shared buffers', (gigabytes, megabytes) => {
  expect(sharedBuffersMb(gigabytes * 2 ** 30)).toBe(megabytes)
})

it('a first start does its own work while the database is created', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-creating-'))
  try {
    await chmod(folder, 0o755)
    const done = join(folder, 'done')
    const program = async (name: string, text: string) => {
      await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`)
      await chmod(join(folder, 'bin', name), 0o755)
    }
    await mkdir(join(folder, 'bin'))
    await program('postgres', 'echo "postgres (PostgreSQL) 18.0"')
    // It ends only after the work that this process does meanwhile.
    await program('initdb', `until [ -e '${done}' ]; do sleep 0.05; done; echo 'initdb: error: enough' >&2; exit 1`)
    const opening = openEmbedded({
      dataDir: join(folder, 'data'),
      log: () => {},
      role: 'server',
      binaries: folder,
      meanwhile: (doing) => void writeFile(done, doing),
    })
    await expect(opening).rejects.toThrow('enough')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
