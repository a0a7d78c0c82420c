import { addresses, type Operations } from '../api/generated.ts'

/** Whether these scopes take in an operation. The server decides; here it hides what the server would refuse. */
export function mayCall(scopes: readonly string[], name: keyof Operations): boolean {
  const scope = addresses[name][2]
  return scope === '' || scopes.includes(scope) || scopes.includes(`*:${scope.split(':')[1]}`)
}
