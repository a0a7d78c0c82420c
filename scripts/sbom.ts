// The bill of materials of an installation for production, from package-lock.json: `npm run --silent sbom > sbom.json`.
// The same lock gives the same bytes: no date, and a serial number derived from the contents. Source: CycloneDX 1.5, ECMA-424.
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { type LockedPackage, readLock, resolveLocked } from './locked-packages.ts'

interface BillOfMaterials {
  bomFormat: 'CycloneDX'
  specVersion: '1.5'
  serialNumber: string
  version: 1
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

interface Component {
  type: 'application' | 'library'
  'bom-ref': string
  name: string
  version: string
  scope?: 'required' | 'optional'
  purl?: string
  hashes?: { alg: 'SHA-512'; content: string }[]
  licenses?: ({ license: { id: string } } | { expression: string })[]
}

/** Every package, once for each version, with its dependencies. */
export function describeMaterials(): BillOfMaterials {
  const { root, packages } = readLock()
  const components = unique(packages).map(toComponent)
  const contents = createHash('sha256').update(JSON.stringify(components)).digest('hex')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${asUuid(contents)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': refOf(root),
        name: root.name,
        version: root.version,
        licenses: licensesOf(root),
      },
    },
    components,
    dependencies: [root, ...unique(packages)].map((each) => ({
      ref: refOf(each),
      dependsOn: needsOf(each, [root, ...packages], packages),
    })),
  }
}

/** One name and version may be in several folders. */
function unique(packages: LockedPackage[]): LockedPackage[] {
  return [...new Map(packages.map((each) => [refOf(each), each])).values()].sort((a, b) =>
    refOf(a) < refOf(b) ? -1 : 1,
  )
}

function needsOf(wanted: LockedPackage, all: LockedPackage[], packages: LockedPackage[]): string[] {
  const places = all.filter((each) => refOf(each) === refOf(wanted))
  const refs = places.flatMap(({ path, dependencies }) =>
    dependencies.flatMap((name) => {
      const found = resolveLocked(packages, path, name)
      return found ? [refOf(found)] : []
    }),
  )
  return [...new Set(refs)].sort()
}

function toComponent(each: LockedPackage): Component {
  return {
    type: 'library',
    'bom-ref': refOf(each),
    name: each.name,
    version: each.version,
    scope: each.isOptional ? 'optional' : 'required',
    purl: refOf(each),
    ...(each.integrity && { hashes: [{ alg: 'SHA-512', content: hexOf(each.integrity) }] }),
    ...(each.license && { licenses: licensesOf(each) }),
  }
}

const licensesOf = ({ license = '' }: LockedPackage) =>
  / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }]

/** Source: package-url/purl-spec, type npm: the @ of a scope is written %40. */
const refOf = ({ name, version }: LockedPackage) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const hexOf = (integrity: string) => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')

/** Source: RFC 9562 5.8, a custom UUID. */
const asUuid = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(JSON.stringify(describeMaterials(), null, 2))
}
