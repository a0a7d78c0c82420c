// Browsers that a user has signed in with before. Failed attempts from the same address, for instance by a colleague
// behind the same router, do not count against them. Source: OWASP, "Slow Down Online Guessing Attacks with Device
// Cookies"; decisions/0045-people-and-sessions.md.
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Vault } from '../crypto/encryption.ts'
import type { BrowserSessions } from '../http/session-cookie.ts'

type Needs = { vault: Pick<Vault, 'sign' | 'isSigned'>; browser: BrowserSessions }

const AGE_SECONDS = 180 * 24 * 3600
const VALUE = /^([\w-]{16})\.([\w-]+)$/

const nameOf = (userId: string) => `anteroom_device_${userId.replaceAll('-', '')}`
const signedText = (userId: string, device: string) => JSON.stringify(['known device', userId, device])

/** The id of this browser, if this user has signed in with it before. */
export function knownDevice({ vault, browser }: Needs, request: FastifyRequest, userId: string): string | undefined {
  const [, device = '', signature = ''] = VALUE.exec(browser.readCookie(request, nameOf(userId)) ?? '') ?? []
  return vault.isSigned(signedText(userId, device), signature) ? device : undefined
}

/** Called after a successful sign-in. */
export function rememberDevice(needs: Needs, request: FastifyRequest, reply: FastifyReply, userId: string): void {
  const device = knownDevice(needs, request, userId) ?? randomBytes(12).toString('base64url')
  const value = `${device}.${needs.vault.sign(signedText(userId, device))}; Max-Age=${AGE_SECONDS}`
  needs.browser.setCookie(request, reply, nameOf(userId), value)
}
