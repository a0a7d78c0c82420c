import { Button } from '@mantine/core'
import type { ComponentProps } from 'react'
import { DownIcon } from '../ui/icons.tsx'
import styles from './shell.module.css'

/** The button that opens the menu of the current user. */
export function UserButton({
  name,
  ...rest
}: { name: string } & Omit<ComponentProps<typeof Button<'button'>>, 'children'>) {
  return (
    <Button variant="subtle" size="xs" aria-haspopup="menu" rightSection={<DownIcon size={14} />} {...rest}>
      <span className={styles.person}>{name}</span>
    </Button>
  )
}
