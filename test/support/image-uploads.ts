// Images over real connections, for the tests of their content and of signed URLs.
import { readdir } from 'node:fs/promises'
import { beforeAll } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { pngOf } from './image-samples.ts'
import type { TestService } from './service.ts'

export const LIMIT_BYTES = 200_000
export const png = pngOf(50_000, 7)
export const withLimit = ({ config }: Deps) => ({ config: { ...config, IMAGE_MAX_BYTES: LIMIT_BYTES } })

/** The service, listening on a free port. */
export function listening(service: TestService): { host(): string } {
  let host = ''
  beforeAll(async () => {
    const url = await service.app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
    host = new URL(url).host
    // Injected calls have no network address, but the links that they return must lead to this server.
    service.deps.config = { ...service.deps.config, PUBLIC_URL: url }
  })
  return { host: () => host }
}

export interface Image {
  id: string
  version: number
  status: string
  signed_url: string
  updating_user_id: string
}

export const put = (url: string, body: RequestInit['body'], headers = {}) =>
  fetch(url, { method: 'PUT', body, headers })
export const get = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
export const names = async (folder: string) => readdir(folder).catch(() => [])
