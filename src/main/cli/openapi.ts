import { describeProgram } from '../interface.ts'
import { printJson } from './program/output.ts'

/** Prints the OpenAPI description; needs no database. */
export async function openapi(): Promise<void> {
  printJson(describeProgram())
}
