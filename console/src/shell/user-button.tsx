import { Button } from '@mantine/core'
import type { ComponentProps } from 'react'
import { DownIcon } from '../ui/icons.tsx'
import styles from './shell.module.css'

/** What opens the menu of the person who is signed in. */
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
