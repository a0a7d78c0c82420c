// The published contract (../shared/contract) as data, from operations.md and types.md, for the tests that compare with it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.ts'

const folder = join(packageRoot, '..', 'shared', 'contract')

/** The contract is beside the repository, not in it. */
export const hasContract = existsSync(join(folder, 'operations.md'))

export interface ContractOperation {
  /** `PUT /notes/v1/{id}/{version}`, without a slash at the end. */
  address: string
  query: string[]
  body: string | undefined
  answer: string
  errors: string[]
}

interface ContractType {
  /** The heading that it is under. */
  section: string
  name: string
  values?: string[]
  fields?: ContractField[]
  bases: string[]
}

interface ContractField {
  key: string
  isRequired: boolean
  type: string
}

export function readOperations(): ContractOperation[] {
  const lines = readFileSync(join(folder, 'operations.md'), 'utf8').split('\n')
  const rows = lines.filter((line) => /^\| (GET|POST|PUT|PATCH|DELETE) \|/.test(line))
  return rows.map((line) => {
    const [method, path, query, body, answer, errors] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    return {
      address: `${method} ${path?.replaceAll('`', '').replace(/\/$/, '')}`,
      query: list(query?.replaceAll('`', '')),
      body: body || undefined,
      answer: answer ?? '',
      errors: list(errors),
    }
  })
}

const list = (cell = '') => cell.split(',').flatMap((each) => each.trim() || [])

/** Every type that has fields or values; aliases of other types are left out. */
export function readTypes(): ContractType[] {
  const types: ContractType[] = []
  let section = ''
  let open: ContractType | undefined
  for (const line of readFileSync(join(folder, 'types.md'), 'utf8').split('\n')) {
    section = /^## (.+)/.exec(line)?.[1] ?? section
    const start = /^(\w+)(?: : ([\w +]+?))? \{$/.exec(line)
    const values = /^(\w+) = ("[^"]*"(?: \| "[^"]*")*)$/.exec(line)
    if (start) {
      open = { section, name: start[1] ?? '', bases: start[2]?.split(' + ') ?? [], fields: [] }
      types.push(open)
    } else if (values) {
      const texts = [...(values[2] ?? '').matchAll(/"([^"]*)"/g)].map(([, value]) => value ?? '')
      types.push({ section, name: values[1] ?? '', bases: [], values: texts })
    } else if (line === '}') open = undefined
    else if (open) open.fields?.push(readField(line))
  }
  return types.map((type) => ({ ...type, ...(type.fields && { fields: allFields(type, types) }) }))
}

/** Names for plain texts: `PatientId` is a string, `CoverageId` a uuid. */
export function readAliases(): Map<string, string> {
  const text = readFileSync(join(folder, 'types.md'), 'utf8')
  return new Map([...text.matchAll(/^(\w+) = (string|uuid)$/gm)].map(([, name = '', type = '']) => [name, type]))
}

function readField(line: string): ContractField {
  // Keys that really end in a question mark are written in quotes.
  const quoted = /^\s+"([^"]+)" \(optional;[^)]*\): (.+)$/.exec(line)
  if (quoted) return { key: quoted[1] ?? '', isRequired: false, type: quoted[2] ?? '' }
  const [, key = '', optional, type = ''] = /^\s+(\w+)(\?)?: (.+)$/.exec(line) ?? []
  if (key === '') throw new Error(`types.md has a line that is not a field: ${line}`)
  return { key, isRequired: optional === undefined, type }
}

function allFields(type: ContractType, types: ContractType[]): ContractField[] {
  const bases = type.bases.flatMap((name) => types.find((each) => each.name === name) ?? [])
  return [...bases.flatMap((base) => allFields(base, types)), ...(type.fields ?? [])]
}
