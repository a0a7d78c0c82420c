import { runToEnd } from './cli/run-to-end.ts'

void runToEnd(process.argv.slice(2))
