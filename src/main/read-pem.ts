import { readFileSync } from 'node:fs'
import { StartupError } from '../platform/startup-error.ts'

/** The text of the PEM file that `setting` names. @throws StartupError that names the setting. */
export function readPem(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartupError(`the file of ${setting} cannot be read`, { cause })
  }
}
