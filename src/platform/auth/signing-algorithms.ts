// How access tokens are signed. Source: RFC 7518 3.3 (RS256), 3.4 (ES256).
import { generateKeyPair, type KeyObject, type KeyPairKeyObjectResult, sign } from 'node:crypto'
import { promisify } from 'node:util'

const makePair = promisify(generateKeyPair)
const signOnThread = promisify(sign)

interface SigningAlgorithm {
  makePair(): Promise<KeyPairKeyObjectResult>
  sign(data: Buffer, privateKey: KeyObject): Promise<Buffer> | Buffer
}

/** RS256 is the default: verifiers of tokens may know no other, or read `/pem` as an RSA key (rules.md 3). */
const ALGORITHMS = {
  RS256: {
    makePair: () => makePair('rsa', { modulusLength: 2048 }),
    sign: (data, privateKey) => signOnThread('RSA-SHA256', data, privateKey),
  },
  // A signature takes less than passing it to a thread and back. JWS has both numbers beside each other, not DER.
  ES256: {
    makePair: () => makePair('ec', { namedCurve: 'P-256' }),
    sign: (data, key) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  },
} satisfies Record<string, SigningAlgorithm>

export type AlgorithmName = keyof typeof ALGORITHMS
export const DEFAULT_ALGORITHM = 'RS256'
export const algorithmNames = Object.keys(ALGORITHMS) as AlgorithmName[]
export const algorithm = (name: AlgorithmName): SigningAlgorithm => ALGORITHMS[name]
