import type { CSSProperties, ReactNode } from 'react'
import styles from './rows.module.css'

/** Of a table whose rows are blocks where the window is too narrow for columns: its frame, and itself. */
export const stacked = { frame: styles.frame, table: styles.stacked }

/** The heads as properties of such a table: where its rows are blocks, each is written before its cell. */
export const headsOf = (heads: readonly string[]) =>
  Object.fromEntries(heads.map((head, place) => [`--head-${place + 1}`, JSON.stringify(head)])) as CSSProperties

/** The last column, of what is only pressed: paper leaves it out. */
const ACTIONS = 'Actions'

/** The table of records on most screens. */
export function Rows({ label, heads, children }: { label: string; heads: readonly string[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={`${styles.frame} ${styles.scroll}`} tabIndex={0} aria-label={label}>
      <table
        className={`${styles.table} ${styles.stacked}`}
        style={headsOf(heads)}
        data-actions={heads.at(-1) === ACTIONS}
      >
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
