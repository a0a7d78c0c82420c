/** A comment, a string, a name in quotes, a body in dollar quotes, the end of a statement, or what is between them. Source: PostgreSQL manual, 4.1. */
const TOKEN = /--[^\n]*|\/\*.*?\*\/|[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$.*?\$\1\$|;|./gs

/**
 * The statements of a text of SQL, each with its comments and without its semicolon. Not for functions with a body in SQL (`begin atomic`).
 */
export function statementsOf(sql: string): string[] {
  const statements = ['']
  for (const [token] of sql.matchAll(TOKEN))
    if (token === ';') statements.push('')
    else statements[statements.length - 1] += token
  return statements.map((text) => text.trim()).filter((text) => text.replaceAll(COMMENT, '').trim() !== '')
}

const COMMENT = /--[^\n]*|\/\*.*?\*\//gs
