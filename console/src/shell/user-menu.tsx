import { Button, Menu, useMantineColorScheme } from '@mantine/core'

import { useState } from 'react'
import { signOut, useSession } from '../api/session.ts'
import { roleNames } from '../rules/roles.ts'
import { announce } from '../ui/announce.tsx'
import { DownIcon } from '../ui/icons.tsx'
import { ChangePasswordDialog } from './change-password.tsx'
import { openKeys } from './search-keys.tsx'
import styles from './shell.module.css'

const schemes = [
  ['auto', 'As the computer'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

export default function UserMenu() {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [isChanging, setChanging] = useState(false)
  const leave = () => signOut().catch(() => announce('You are still signed in: the service cannot be reached.'))
  return (
    <>
      <Menu position="bottom-end" width={240} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="subtle" size="xs" rightSection={<DownIcon size={14} />}>
            <span className={styles.person}>{user.name}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {user.username} · {roleNames[user.role] ?? user.role}
          </Menu.Label>
          <Menu.Item onClick={() => setChanging(true)}>Change password</Menu.Item>
          <Menu.Item onClick={openKeys}>Keys</Menu.Item>
          <Menu.Divider />
          <Menu.Label>Appearance</Menu.Label>
          {schemes.map(([value, label]) => (
            <Menu.Item key={value} onClick={() => setColorScheme(value)} aria-current={colorScheme === value}>
              {label}
              {colorScheme === value && ' ✓'}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={leave}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChanging && <ChangePasswordDialog onClose={() => setChanging(false)} />}
    </>
  )
}
