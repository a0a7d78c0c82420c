import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ExplainedMessage } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './check.module.css'

/**
 * The inquiry and the answer as transmitted, with each segment explained. Only for administrators; each view is recorded in the audit
 * trail.
 */
export function Messages({ checkId }: { checkId: string }) {
  const [isShown, show] = useState(false)
  return (
    <section className={styles.section} data-closed={!isShown}>
      <h2>Raw messages</h2>
      {isShown ? (
        <Raw checkId={checkId} />
      ) : (
        <Button variant="default" onClick={() => show(true)}>
          Show the 270 and the 271
        </Button>
      )}
    </section>
  )
}

function Raw({ checkId }: { checkId: string }) {
  const { data, error, refetch } = useRead('storedChecks.explainMessages', { path: { id: checkId } })
  if (error) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the messages" rows={2} />
  const parts = [
    ['Inquiry (270)', data.inquiry],
    ['Response (271)', data.response],
  ] as const
  return parts.map(([title, message]) => (
    <div key={title}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={styles.raw} tabIndex={0} aria-label={title}>
        {message ? <Explained message={message} /> : 'No message.'}
      </section>
    </div>
  ))
}

/** Each segment with its name, each element with its name, value and meaning. */
function Explained({ message: { segments = [], segments_left_out = 0, text } }: { message: ExplainedMessage }) {
  if (text !== undefined) return <pre>{text}</pre>
  return (
    <>
      {segments.map(({ id, name, elements }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments never change
        <details key={place}>
          <summary>
            <code>{[id, ...elements.map(({ value }) => value)].join(' ')}</code> {name}
          </summary>
          <ul>
            {elements.map(({ position, name: term, value, meaning }) => (
              <li key={position}>
                <code>{position}</code> {term ?? 'Not in the standard'}: <code>{value}</code>
                {meaning && ` (${meaning})`}
              </li>
            ))}
          </ul>
        </details>
      ))}
      {segments_left_out > 0 && <p>{segments_left_out} more segments are left out.</p>}
    </>
  )
}
