import { runToEnd } from './cli/program/run-to-end.ts'

void runToEnd(process.argv.slice(2))
