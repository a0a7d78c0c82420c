#!/usr/bin/env node
import { StartupError } from '../platform/startup-error.ts'
import { UsageError } from './cli/command-line.ts'
import { declarations } from './cli/commands/index.ts'
import { escapeControls, printDiagnostic } from './cli/output.ts'
import { runProgram } from './cli/program.ts'

runProgram(process.argv.slice(2), declarations).catch((error: Error) => {
  const isExpected = error instanceof StartupError || error instanceof UsageError
  printDiagnostic(`anteroom: ${isExpected ? escapeControls(error.message) : (error.stack ?? error.message)}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
