import { describeProgram } from '../interface.ts'
import { print } from './command-line.ts'

/** Prints the OpenAPI description; needs no database. */
export async function openapi(): Promise<void> {
  print(JSON.stringify(describeProgram(), null, 2))
}
