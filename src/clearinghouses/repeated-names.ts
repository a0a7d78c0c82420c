// JSON whose objects have a name twice, of which `JSON.parse` keeps the last value alone: an earlier list of benefits may deny the coverage.

/** The number of names in all objects of a parsed value. */
export function countNames(value: unknown): number {
  let count = 0
  const open: object[] = typeof value === 'object' && value !== null ? [value] : []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const each of inner) if (typeof each === 'object' && each !== null) open.push(each)
  }
  return count
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** An object or list that is not closed yet. Values under one name are collected first, because a name may repeat thousands of times. */
interface Open {
  list: unknown[] | undefined
  members: Map<string, unknown[]>
  name: string | undefined
}

/** The value of a text that `JSON.parse` takes. The values of a repeated name are a list. */
export function parseWithRepeatedNames(text: string): unknown {
  const root: Open = { list: [], members: new Map(), name: undefined }
  const stack: Open[] = [root]
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) takeToken(found[0], stack)
  return root.list?.[0]
}

function takeToken(token: string, stack: Open[]): void {
  const top = stack.at(-1) as Open
  if (token === ':' || token === ',') return
  if (token === '{' || token === '[')
    stack.push({ list: token === '[' ? [] : undefined, members: new Map(), name: undefined })
  else if (token === '}' || token === ']') {
    stack.pop()
    add(stack.at(-1) as Open, top.list ?? objectOf(top))
  } else if (top.list === undefined && top.name === undefined) top.name = JSON.parse(token) as string
  else add(top, JSON.parse(token))
}

function add(to: Open, value: unknown): void {
  if (to.list !== undefined) to.list.push(value)
  else {
    const name = to.name ?? ''
    const values = to.members.get(name)
    if (values) values.push(value)
    else to.members.set(name, [value])
    to.name = undefined
  }
}

const objectOf = ({ members }: Open): object =>
  Object.fromEntries([...members].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
