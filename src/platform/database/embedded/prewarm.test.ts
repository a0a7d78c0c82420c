// decisions/0145-searches-after-a-start.md
import { appendFile, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { configurationOf } from '../../../../test/support/migrated-cluster.ts'
import { newMigratedFolder } from '../../../../test/support/started-server.ts'
import { openEmbedded } from './embedded.ts'

it('what PostgreSQL had in memory when it stopped is read again after the next start', async () => {
  const folder = await newMigratedFolder()
  try {
    // As in every cluster but those of tests.
    await appendFile(configurationOf(folder.path), 'pg_prewarm.autoprewarm = on\n')
    // The cluster of which this is a copy was stopped as well.
    await rm(join(dirname(configurationOf(folder.path)), 'autoprewarm.blocks'), { force: true })
    const open = () => openEmbedded({ dataDir: folder.path, log: () => {}, role: 'command' })
    const log = () => readFile(join(folder.path, 'postgresql', 'postgresql.log'), 'utf8')
    await (await open()).stop()
    expect(await log()).not.toContain('previously-loaded blocks')
    const again = await open()
    await expect.poll(log).toMatch(/prewarmed [1-9]\d* of \d+ previously-loaded blocks/)
    await again.stop()
  } finally {
    await folder.remove()
  }
})
