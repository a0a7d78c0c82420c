import { NativeSelect, TextInput, VisuallyHidden } from '@mantine/core'
import type { BoardItem } from '../../api/generated.ts'
import { type Queue, queues } from '../../rules/queues.ts'
import { countQueues, isShown } from '../../rules/visits.ts'
import styles from './filters.module.css'
import type { TodaySearch } from './today-search.ts'
import { Views } from './views.tsx'

interface Props {
  items: readonly BoardItem[]
  search: TodaySearch
  doctors: readonly string[]
  onChange: (next: Partial<TodaySearch>) => void
}

/** The queues are the legend of the chart above them: each shows the count of the visits that it opens, which are those of the other filters. */
export function Filters({ items, search, doctors, onChange }: Props) {
  const { doctor, text } = search
  const counts = countQueues(items.filter((item) => isShown(item, { doctor, text })))
  // Who is filtered by may have no visit on another day: the list would show "All providers" then.
  const options = doctor && !doctors.includes(doctor) ? [...doctors, doctor] : doctors
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
        value={doctor ?? ''}
        onChange={(event) => onChange({ doctor: event.currentTarget.value || undefined })}
        data={[{ value: '', label: 'All providers' }, ...options]}
      />
      <TextInput
        aria-label="Filter by name, MRN or member ID"
        className={styles.filter}
        placeholder="Name, MRN, ID"
        value={text ?? ''}
        onChange={(event) => onChange({ text: event.currentTarget.value || undefined })}
      />
    </div>
  )
}
