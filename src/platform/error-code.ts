/** The code of an error of Node or PostgreSQL, such as `ENOENT` or `57P01`; undefined for any other value. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The code of an error, or its message without one: for a message to the operator. */
export function reasonOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error))
}
