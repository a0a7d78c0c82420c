import { CheckIcon, CloseIcon, WarningIcon } from './icons.tsx'
import styles from './state-mark.module.css'

const STATES = {
  ok: ['Good', CheckIcon],
  warning: ['Needs attention', WarningIcon],
  fault: ['Not working', CloseIcon],
} as const

/** Whether something works, as an icon and a word. */
export function StateMark({ state, word }: { state: keyof typeof STATES; word?: string }) {
  const [usual, Icon] = STATES[state]
  return (
    <span className={styles.state} data-state={state}>
      <Icon size={14} />
      {word ?? usual}
    </span>
  )
}
