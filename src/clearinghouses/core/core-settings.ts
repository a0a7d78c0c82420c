import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { type Static, Type } from 'typebox'
import { isPrintable } from '../../x12/ascii.ts'
import { cleanData } from '../../x12/interchange-writer.ts'
import { commonSettings, httpUrl, secret, text } from '../connector-settings.ts'

const qualifier = Type.Optional(Type.String({ pattern: '^[0-9A-Z]{2}$' }))
/** ISA06, ISA08, GS02 and GS03 hold 15 characters. Source: 005010X279A1 ISA, GS. */
const partnerId = Type.Optional(text(15))

/** The settings of a CORE connector in their stored form. Source: clearinghouse.md B5. */
export const CoreConnectorSettings = Type.Object(
  {
    ...commonSettings,
    url: httpUrl,
    form: Type.Optional(Type.Enum(['soap12', 'soap11', 'mime'])),
    /** CORE SenderID and ReceiverID, agreed with the partner. */
    senderId: text(50),
    receiverId: text(50),
    username: Type.Optional(text(200)),
    password: Type.Optional(secret(200)),
    /** ISA05 to ISA08, GS02 and GS03; by default the CORE ids with qualifier ZZ. */
    interchange: Type.Optional(
      Type.Object(
        {
          senderQualifier: qualifier,
          senderId: partnerId,
          receiverQualifier: qualifier,
          receiverId: partnerId,
          applicationSender: partnerId,
          applicationReceiver: partnerId,
        },
        { additionalProperties: false },
      ),
    ),
    /** ISA15: P production, T test. */
    usage: Type.Optional(Type.Enum(['P', 'T'])),
    /** MIME only. */
    lineEnding: Type.Optional(Type.Enum(['crlf', 'lf'])),
    /** X-Forwarded-For, which some partners require for Medicare: origin first (clearinghouse.md A1). */
    forwardedFor: Type.Optional(text(500)),
    /** This partner's own ids of payers, by payer id. */
    payerIds: Type.Optional(Type.Record(Type.String(), text(80))),
    tls: Type.Optional(
      Type.Object(
        {
          ca: Type.Optional(text(200_000)),
          cert: Type.Optional(text(200_000)),
          key: Type.Optional(secret(200_000)),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

/** PEM texts: a private certificate authority, a client certificate and its key. */
export interface TlsTexts {
  ca?: string
  cert?: string
  key?: string
}

/** Faults of certificates that are each well-formed text; names the fields, never their content. */
export function findTlsFaults(tls: TlsTexts = {}): string[] {
  const isHalf = (tls.cert === undefined) !== (tls.key === undefined)
  if (isHalf) return ['tls.cert and tls.key must be set together']
  const { ca, cert, key } = tls
  return [
    ...(ca === undefined || works(() => new X509Certificate(ca)) ? [] : ['tls.ca is not a PEM certificate']),
    // Without a certificate there is nothing to try, and an empty context still reads all authorities of Node, 27 ms of a start.
    ...(cert === undefined || works(() => createSecureContext({ cert, key }))
      ? []
      : ['tls.cert and tls.key are not a PEM certificate with its key']),
  ]
}

/** The settings that name partners and payers in an interchange. */
export type PartnerSettings = Pick<
  Static<typeof CoreConnectorSettings>,
  'senderId' | 'receiverId' | 'interchange' | 'payerIds'
>

/** The ids and qualifiers of ISA and GS. */
export function interchangeIds({ interchange = {}, senderId, receiverId }: PartnerSettings) {
  return {
    senderQualifier: interchange.senderQualifier ?? 'ZZ',
    // ISA06 and ISA08 hold 15 characters, the CORE ids up to 50.
    senderId: interchange.senderId ?? senderId.slice(0, 15),
    receiverQualifier: interchange.receiverQualifier ?? 'ZZ',
    receiverId: interchange.receiverId ?? receiverId.slice(0, 15),
    ...(interchange.applicationSender && { applicationSender: interchange.applicationSender }),
    ...(interchange.applicationReceiver && { applicationReceiver: interchange.applicationReceiver }),
  }
}

/** Whether the writer of an interchange would change an id other than its case, so that somebody else would be named. Blanks at its end fill the ISA. */
function isReplaced(id: string): boolean {
  const clean = cleanData(id)
  return clean === '' || clean !== id.trimEnd().toUpperCase() || !isPrintable(id)
}

const ALLOWED =
  'must have only ASCII characters, none of * : ~ ^ (delimiters) and ` (not a character of X12), and no blank at its start'

/** Ids of partners and payers that an interchange cannot hold. Source: 005010X279A1 B.1.1.2. */
export function findPartnerIdFaults(settings: PartnerSettings): string[] {
  const { interchange = {}, payerIds = {} } = settings
  const partners = Object.entries(interchangeIds(settings)).flatMap(([name, id]) => {
    if (!isReplaced(id)) return []
    return Object.hasOwn(interchange, name)
      ? [`interchange.${name} ${ALLOWED}`]
      : [`${name} ${ALLOWED}, or interchange.${name} must be set: without it ${name} is the id in the ISA too`]
  })
  const payers = Object.entries(payerIds).filter(([, id]) => isReplaced(id))
  return [...partners, ...payers.map(([id]) => `payerIds.${id} ${ALLOWED}`)]
}

function works(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}
