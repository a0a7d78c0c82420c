// Checks the license of everything that is installed for production against the list below: `npm run licenses`.
import { pathToFileURL } from 'node:url'
import { type LockedPackage, readLock } from './locked-packages.ts'

/** Licenses that require only a notice, so that users of Anteroom never have to publish source code. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
])

/** Packages whose license is unknown or not on the list. A choice (`MIT OR GPL-3.0`) needs one license on the list. */
export function refuseLicenses(packages: LockedPackage[]): LockedPackage[] {
  return packages.filter(({ license = '' }) => !isAllowed(license))
}

function isAllowed(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((license) => ALLOWED.has(license.trim())))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { packages } = readLock()
  const refused = refuseLicenses(packages)
  for (const { name, version, license } of refused) console.error(`${name} ${version}: ${license ?? 'no license'}`)
  console.log(`${packages.length} packages, ${refused.length} with a license that is not allowed`)
  process.exitCode = refused.length > 0 ? 1 : 0
}
