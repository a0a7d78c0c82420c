import { Menu, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { guidePage } from '../api/client.ts'
import { signOut, useSession } from '../api/session.ts'
import { roleNames } from '../rules/roles.ts'
import { announce } from '../ui/announce.tsx'
import { openKeys } from './search-keys.tsx'
import { UserButton } from './user-button.tsx'

const schemes = [
  ['auto', 'Same as this computer'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

export default function UserMenu() {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  const leave = () => signOut().catch(() => announce('You are still signed in: the service cannot be reached.'))
  return (
    // Within the header, a landmark, and with nothing in the menu that is not an item and takes the focus.
    <Menu
      defaultOpened
      position="bottom-end"
      width={240}
      transitionProps={{ duration: 0 }}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UserButton name={user.name} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.username} · {roleNames[user.role] ?? user.role}
        </Menu.Label>
        <Menu.Item onClick={() => navigate({ to: '/account' })}>Your account</Menu.Item>
        <Menu.Item onClick={openKeys}>Keys</Menu.Item>
        <Menu.Item component="a" href={guidePage('console')} target="_blank">
          Guide (new tab)
        </Menu.Item>
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
  )
}
