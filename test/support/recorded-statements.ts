import pg from 'pg'

/** Every text that goes to PostgreSQL from this process, through whatever connection, until `stop` is called. */
export function recordStatements(): { texts: Set<string>; stop(): void } {
  const texts = new Set<string>()
  const { query } = pg.Client.prototype
  const noting = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }]
    const text = typeof first === 'string' ? first : first?.text
    if (text !== undefined) texts.add(text)
    return Reflect.apply(query, this, args)
  }
  Object.assign(pg.Client.prototype, { query: noting })
  return { texts, stop: () => Object.assign(pg.Client.prototype, { query }) }
}
