import { addresses, type Operations } from '../api/generated.ts'

/** Whether the scopes include an operation. The server decides; the console only hides what the server would reject. */
export function mayCall(scopes: readonly string[], name: keyof Operations): boolean {
  const scope = addresses[name][2]
  return scope === '' || scopes.includes(scope) || scopes.includes(`*:${scope.split(':')[1]}`)
}
