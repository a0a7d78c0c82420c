/** Complaints of the start about itself, and not about connections that came too early. */
const CAUSE = /\b(?:FATAL|PANIC):(?! {2}the database system is (?:starting up|not yet accepting|shutting down))/

/** Why PostgreSQL did not start, in one line, from what it wrote to its log: its fatal errors, otherwise its last lines. */
export function startFailure(log: string): string {
  const lines = log.split('\n').filter(Boolean)
  const causes = lines.filter((line) => CAUSE.test(line))
  const told = (causes.length > 0 ? causes : lines).slice(-3)
  return told.map((line) => line.replace(/^[^[]*\[\d+\] /, '')).join('; ') || 'it left no message'
}
