import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with `N passed, N failed, N skipped`, which CI reads; a file that could not be loaded counts as a failure. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => states.filter((each) => each === state).length
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length
    const skipped = count('skipped')
    const line = `${count('passed')} passed, ${count('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    // After the output of the other reporter.
    process.on('exit', () => process.stdout.write(`${line}\n`))
  }
}
