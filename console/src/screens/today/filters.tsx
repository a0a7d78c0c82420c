import { NativeSelect, TextInput, VisuallyHidden } from '@mantine/core'
import type { BoardItem } from '../../api/generated.ts'
import { type Queue, queues } from '../../rules/queues.ts'
import { countQueues } from '../../rules/visits.ts'
import styles from './filters.module.css'
import type { TodaySearch } from './today-search.ts'
import { Views } from './views.tsx'

interface Props {
  items: readonly BoardItem[]
  search: TodaySearch
  doctors: readonly string[]
  onChange: (next: Partial<TodaySearch>) => void
}

/** The queues are the legend of the chart above them: each shows its count and opens its visits. */
export function Filters({ items, search, doctors, onChange }: Props) {
  const counts = countQueues(items)
  const current = search.queue ?? 'all'
  const parts = (Object.keys(queues) as Queue[]).filter((queue) => queue !== 'all')
  return (
    <div className={styles.filters}>
      <div className={styles.queues}>
        <div className={styles.chart} aria-hidden="true">
          {parts
            .filter((queue) => counts[queue] > 0)
            .map((queue) => (
              <span key={queue} data-queue={queue} style={{ flexGrow: counts[queue] }} />
            ))}
        </div>
        <fieldset className={styles.tabs}>
          <legend>
            <VisuallyHidden>Queue</VisuallyHidden>
          </legend>
          {(Object.keys(queues) as Queue[]).map((queue) => (
            <button
              key={queue}
              type="button"
              data-queue={queue}
              aria-pressed={queue === current}
              onClick={() => onChange({ queue: queue === 'all' ? undefined : queue })}
            >
              {queues[queue]} <b>{counts[queue]}</b>
            </button>
          ))}
        </fieldset>
      </div>
      <Views search={search} onChange={onChange} />
      <NativeSelect
        aria-label="Provider"
        className={styles.filter}
        value={search.doctor ?? ''}
        onChange={(event) => onChange({ doctor: event.currentTarget.value || undefined })}
        data={[{ value: '', label: 'All providers' }, ...doctors]}
      />
      <TextInput
        aria-label="Filter by name or MRN"
        className={styles.filter}
        placeholder="Name or MRN"
        value={search.text ?? ''}
        onChange={(event) => onChange({ text: event.currentTarget.value || undefined })}
      />
    </div>
  )
}
