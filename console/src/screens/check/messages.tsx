import { Button } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { Loading, Problem } from '../../ui/states.tsx'
import styles from './check.module.css'

/** The inquiry and the answer as they went over the wire, a segment a line. Only for administrators; each look is in the audit trail. */
export function Messages({ checkId }: { checkId: string }) {
  const [isShown, show] = useState(false)
  return (
    <section className={styles.section}>
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
  const { data, error, refetch } = useRead('storedChecks.getMessages', { path: { id: checkId } })
  if (error) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading what="the messages" rows={2} />
  const parts = [
    ['Inquiry (270)', data.inquiry],
    ['Answer (271)', data.response],
  ] as const
  return parts.map(([title, text]) => (
    <div key={title}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className={styles.raw} tabIndex={0}>
        {text ? text.replace(/~(?!\s)/g, '~\n') : 'There is none.'}
      </pre>
    </div>
  ))
}
