import { type CoreFields, coreFieldName, storeField } from './fields.ts'

const CDATA = '<![CDATA['
const CDATA_END = ']]>'
const TAG = /<(\/?)(?:[A-Za-z_][\w.-]{0,99}:)?([A-Za-z_][\w.-]{0,99})((?:\s+[\w.:-]{1,100}="[^"<>]*")*)\s*>/g

/**
 * The fields of an envelope in the form that nearly every partner writes: one CDATA section, the payload, among well-nested elements that
 * contain only text. The payload, which is most of the message, is taken verbatim; no tree is built. Undefined for any other form
 * (entities, comments, includes, faults, a truncated message), which the parser reads.
 */
export function readPlainFields(text: string): CoreFields | undefined {
  const from = text.indexOf(CDATA)
  const to = text.indexOf(CDATA_END, from)
  if (from < 0 || to < 0 || text.indexOf(CDATA, to) >= 0) return undefined
  const skeleton = text.slice(0, from) + text.slice(to + CDATA_END.length)
  const root = /^\s*(?:<\?xml(?:\s+[\w-]{1,20}="[^"<>]*")*\s*\?>\s*)?(?=<[A-Za-z_])/.exec(skeleton)
  if (!root || /[&?]|<!|\/>/.test(skeleton.slice(root[0].length))) return undefined
  return readSkeleton(
    skeleton.slice(root[0].length).trimEnd(),
    text.slice(from + CDATA.length, to),
    from - root[0].length,
  )
}

/** `payloadAt`: the position of the payload, which must be the only content of the element of that name. */
function readSkeleton(skeleton: string, payload: string, payloadAt: number): CoreFields | undefined {
  const fields: CoreFields = {}
  let hasPayload = false
  for (const { name, from, to } of readLeaves(skeleton)) {
    const field = coreFieldName(name)
    if (!field) continue
    const isPayload = payloadAt === from && payloadAt === to
    if (isPayload && field !== 'Payload') return undefined
    hasPayload ||= isPayload
    storeField(fields, field, isPayload ? payload : skeleton.slice(from, to))
  }
  return hasPayload ? fields : undefined
}

/** An element that contains only text, and where that text is. */
interface Leaf {
  name: string
  from: number
  to: number
}

/** The leaves in the order of their ends; none unless the text is one well-nested element that no rule of SOAP or MTOM gives a meaning of its own. */
function readLeaves(skeleton: string): Leaf[] {
  const open: { name: string; isLeaf: boolean; textAt: number }[] = []
  const leaves: Leaf[] = []
  let tags = 0
  TAG.lastIndex = 0
  for (let found = TAG.exec(skeleton); found; found = TAG.exec(skeleton)) {
    const [tag, slash, name = '', attributes] = found
    const parent = open.at(-1)
    tags += 1
    if (slash === '/') {
      if (parent?.name !== name || attributes !== '') return []
      if (parent.isLeaf) leaves.push({ name, from: parent.textAt, to: found.index })
      open.pop()
    } else {
      const isSecondRoot = parent === undefined && tags > 1
      if (isSecondRoot || /^(?:Fault|Include|html)$/i.test(name)) return []
      if (parent) parent.isLeaf = false
      open.push({ name, isLeaf: true, textAt: found.index + tag.length })
    }
  }
  // Every angle bracket belongs to one of the tags, and all tags are closed.
  const isWhole =
    open.length === 0 && count(skeleton, '<') === tags && count(skeleton, '>') === tags && skeleton.endsWith('>')
  return isWhole ? leaves : []
}

function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found += 1
  return found
}
