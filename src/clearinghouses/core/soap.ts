import type { CoreFields, CoreForm, CoreMessage, CoreReading } from './fields.ts'
import { coreFieldName, envelopeOf, storeField } from './fields.ts'
import { readPlainFields } from './plain-envelope.ts'
import { cdata, descendants, escapeXml, findElement, isComplete, readXml, type XmlElement } from './xml.ts'

type SoapForm = Exclude<CoreForm, 'mime'>

export const soapNamespaces: Readonly<Record<SoapForm, string>> = {
  soap12: 'http://www.w3.org/2003/05/soap-envelope',
  soap11: 'http://schemas.xmlsoap.org/soap/envelope/',
}

const coreNamespace = 'http://www.caqh.org/SOAP/WSDL/CORERule2.2.0.xsd'
const wssNamespace = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const passwordText = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText'
const action = 'RealTimeTransaction'

/** Writes a request or response envelope; UserName and Password become the WS-Security header. Source: CORE 270 4.2.2. */
export function writeSoap(form: SoapForm, element: 'Request' | 'Response', fields: CoreFields): CoreMessage {
  const { UserName, Password } = fields
  let children = ''
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'UserName' && name !== 'Password') children += writeField(name, value)
  }
  const name = `core:COREEnvelopeRealTime${element}`
  return soapMessage(
    form,
    UserName === undefined ? '' : writeUsernameToken(form, UserName, Password ?? ''),
    `<${name} xmlns:core="${coreNamespace}">${children}</${name}>`,
  )
}

export type FaultCode = 'VersionMismatch' | 'MustUnderstand' | 'DataEncodingUnknown' | 'Sender' | 'Receiver'

/** Writes a fault. SOAP 1.1 names Sender and Receiver `Client` and `Server`. */
export function writeFault(form: SoapForm, code: FaultCode, reason: string): CoreMessage {
  const text = escapeXml(reason)
  if (form === 'soap12') {
    const inner = `<soap:Code><soap:Value>soap:${code}</soap:Value></soap:Code>`
    return soapMessage(
      form,
      '',
      `<soap:Fault>${inner}<soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason></soap:Fault>`,
    )
  }
  const soap11Code = code === 'Sender' ? 'Client' : code === 'Receiver' ? 'Server' : code
  return soapMessage(
    form,
    '',
    `<soap:Fault><faultcode>soap:${soap11Code}</faultcode><faultstring>${text}</faultstring></soap:Fault>`,
  )
}

/**
 * Reads any SOAP version by local names, ignoring namespaces and wrappers. `attachment` resolves an MTOM content id.
 * Source: clearinghouse.md B2.
 */
export function readSoap(text: string, attachment?: (contentId: string) => string | undefined): CoreReading {
  const fields = readPlainFields(text)
  return (fields && envelopeOf(withPlainPayload(fields))) ?? readSoapTree(text, attachment)
}

const withPlainPayload = (fields: CoreFields): CoreFields => ({ ...fields, Payload: fromBase64(fields.Payload ?? '') })

/** Reads any SOAP message through the XML parser. */
export function readSoapTree(
  text: string,
  attachment: (contentId: string) => string | undefined = () => undefined,
): CoreReading {
  const root = readXml(text)
  if (!root) return { kind: 'unreadable', because: looksCut(text) ? 'truncated' : 'unknown' }
  if (root.name.toLowerCase() === 'html') return { kind: 'unreadable', because: 'html' }
  if (!isComplete(text, root)) return { kind: 'unreadable', because: 'truncated' }
  const fault = findElement(root, 'Fault')
  if (fault) return readFault(fault)
  return envelopeOf(readFields(root, attachment)) ?? { kind: 'unreadable', because: 'unknown' }
}

function writeField(name: string, value: string): string {
  return `<${name}>${name === 'Payload' ? cdata(value) : escapeXml(value)}</${name}>`
}

function writeUsernameToken(form: SoapForm, username: string, password: string): string {
  const mustUnderstand = form === 'soap12' ? 'true' : '1'
  return (
    `<wsse:Security xmlns:wsse="${wssNamespace}" soap:mustUnderstand="${mustUnderstand}"><wsse:UsernameToken>` +
    `<wsse:Username>${escapeXml(username)}</wsse:Username>` +
    `<wsse:Password Type="${passwordText}">${escapeXml(password)}</wsse:Password>` +
    '</wsse:UsernameToken></wsse:Security>'
  )
}

function soapMessage(form: SoapForm, header: string, body: string): CoreMessage {
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?>\n<soap:Envelope xmlns:soap="${soapNamespaces[form]}">` +
    `<soap:Header>${header}</soap:Header><soap:Body>${body}</soap:Body></soap:Envelope>`
  const headers: Record<string, string> =
    form === 'soap12'
      ? { 'content-type': `application/soap+xml; charset=UTF-8; action="${action}"` }
      : { 'content-type': 'text/xml; charset=UTF-8', soapaction: `"${action}"` }
  return { headers, body: Buffer.from(xml, 'utf8') }
}

function readFields(root: XmlElement, attachment: (contentId: string) => string | undefined): CoreFields {
  const fields: CoreFields = {}
  for (const element of descendants(root)) {
    const name = coreFieldName(element.name)
    if (!name) continue
    const include = name === 'Payload' ? element.children.find((child) => child.name === 'Include') : undefined
    const value = include ? (attachment(contentIdOf(include)) ?? '') : element.text
    // A wrapper may have a field's name (`payload` around `Payload`): only a leaf, or an MTOM include, is a value.
    if (include || element.children.length === 0)
      storeField(fields, name, name === 'Payload' ? fromBase64(value) : value)
  }
  return fields
}

/** An xop:Include refers to its part by `cid:` and the percent-encoded content id. Source: XOP 1.0 section 2. */
function contentIdOf(include: XmlElement): string {
  const href = (include.attributes.href ?? '').replace(/^cid:/i, '')
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

/** An MTOM sender may leave the payload inline as base64; `SVNB` is the base64 of `ISA`. */
function fromBase64(payload: string): string {
  return /^\s*SVNB[A-Za-z0-9+/]/.test(payload) ? Buffer.from(payload, 'base64').toString('utf8') : payload
}

function readFault(fault: XmlElement): CoreReading {
  const soap12Code = fault.children.find((child) => child.name === 'Code')
  const subcode = soap12Code && findElement(soap12Code, 'Subcode')
  const code = soap12Code?.children.find((child) => child.name === 'Value') ?? findElement(fault, 'faultcode')
  const reason = findElement(fault, 'Text') ?? findElement(fault, 'faultstring')
  const subcodeValue = subcode?.children.find((child) => child.name === 'Value')
  return {
    kind: 'fault',
    code: localName(code?.text ?? '') || 'Fault',
    ...(subcodeValue && { subcode: localName(subcodeValue.text) }),
    reason: (reason?.text ?? '').trim(),
  }
}

function localName(qualifiedName: string): string {
  return qualifiedName.trim().split(':').at(-1) ?? ''
}

/** Nothing but the declaration, and a part of the first tag. */
const BEGINNING = /^(?:<\?[^>]*>\s*)?(?:<[^<>]*)?$/

function looksCut(text: string): boolean {
  if (BEGINNING.test(text)) return true
  return /<(?:[\w.-]{1,100}:)?Envelope[\s>]/.test(text) && !/<\/(?:[\w.-]{1,100}:)?Envelope\s*>/.test(text)
}
