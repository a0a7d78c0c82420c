// The packages installed for production: licenses that require only a notice, and a complete bill of materials.
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { refuseLicenses } from '../../scripts/licenses.ts'
import { type LockedPackage, readLock } from '../../scripts/locked-packages.ts'
import { describeMaterials } from '../../scripts/sbom.ts'

const { packages } = readLock()
const bill = describeMaterials()

const licensed = (license: string | undefined) =>
  refuseLicenses([{ ...(packages[0] as LockedPackage), license }]).length === 0

describe('the licenses', () => {
  it('of everything that is installed for production are on the list', () => {
    expect(packages.length).toBeGreaterThan(50)
    expect(refuseLicenses(packages)).toEqual([])
  })

  it.each([
    ['MIT', true],
    ['MIT OR GPL-3.0-only', true],
    ['(MIT AND BSD-3-Clause)', true],
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['UNLICENSED', false],
    [undefined, false],
  ])('hold %s: %s', (license, isAllowed) => {
    expect(licensed(license)).toBe(isAllowed)
  })
})

/** The parts of bom-1.5.schema.json that this bill uses. Source: CycloneDX 1.5. */
const component = {
  type: 'object',
  required: ['type', 'name', 'version', 'bom-ref', 'licenses'],
  additionalProperties: false,
  properties: {
    type: { enum: ['application', 'library'] },
    'bom-ref': { type: 'string', minLength: 1 },
    name: { type: 'string', minLength: 1 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
    scope: { enum: ['required', 'optional', 'excluded'] },
    purl: { type: 'string', pattern: '^pkg:npm/(%40[^/@]+/)?[^/@]+@[^@]+$' },
    hashes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['alg', 'content'],
        properties: { alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[a-f0-9]{128}$' } },
      },
    },
    licenses: { type: 'array', minItems: 1 },
  },
}
const schema = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'serialNumber', 'version', 'metadata', 'components', 'dependencies'],
  additionalProperties: false,
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.5' },
    serialNumber: {
      type: 'string',
      pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    },
    version: { const: 1 },
    metadata: { type: 'object', required: ['component'], properties: { component } },
    components: {
      type: 'array',
      uniqueItems: true,
      items: { ...component, required: [...component.required, 'purl'] },
    },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        required: ['ref', 'dependsOn'],
        properties: { ref: { type: 'string' }, dependsOn: { type: 'array', uniqueItems: true } },
      },
    },
  },
}

describe('the bill of materials', () => {
  it('is CycloneDX 1.5, and the same each time', () => {
    const validate = new Ajv().compile(schema)
    validate(bill)
    expect(validate.errors).toBeNull()
    expect(describeMaterials()).toEqual(bill)
  })

  it('lists every package of the lock file with its hash, and the dependencies', () => {
    const names = new Set(bill.components.map(({ name, version }) => `${name} ${version}`))
    expect(names).toEqual(new Set(packages.map(({ name, version }) => `${name} ${version}`)))
    expect(bill.components.filter(({ hashes }) => !hashes)).toEqual([])
    const known = new Set([bill.metadata.component['bom-ref'], ...bill.components.map((each) => each['bom-ref'])])
    expect(known.size).toBe(bill.components.length + 1)
    for (const { ref, dependsOn } of bill.dependencies) {
      for (const each of [ref, ...dependsOn]) expect(known).toContain(each)
    }
    expect(bill.dependencies.map(({ ref }) => ref).sort()).toEqual([...known].sort())
    const needed = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn))
    expect(
      bill.components.filter((each) => !needed.has(each['bom-ref'])),
      'needed by no package',
    ).toEqual([])
  })
})
