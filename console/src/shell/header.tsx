import { Button, Kbd } from '@mantine/core'

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../api/session.ts'
import { SearchIcon } from '../ui/icons.tsx'
import { late } from '../ui/late.tsx'
import { places, useMayGo } from './places.ts'
import { openSearch } from './search-keys.tsx'
import styles from './shell.module.css'
import { UserButton } from './user-button.tsx'

const UserMenu = late(() => import('./user-menu.tsx'))

export function Header() {
  const { user, organization } = useSession()
  const mayGo = useMayGo()
  // The menu is loaded when it is first opened: it is a twelfth of the first screen.
  const [isMenuLoaded, loadMenu] = useState(false)
  return (
    <header className={styles.header}>
      <Link to="/today" className={styles.brand}>
        Anteroom
      </Link>
      <nav className={styles.nav} aria-label="Main">
        {places.filter(mayGo).map(({ to, label }) => (
          <Link key={to} to={to}>
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.rest}>
        <Button
          variant="default"
          size="xs"
          leftSection={<SearchIcon size={14} />}
          rightSection={
            <span className={styles.hint}>
              <Kbd size="xs">Ctrl K</Kbd>
            </span>
          }
          onClick={openSearch}
        >
          Find patient
        </Button>
        <span className={styles.organization} title={organization.name}>
          {organization.name}
        </span>
        {isMenuLoaded ? (
          <UserMenu fallback={<UserButton name={user.name} />} onMissing={() => loadMenu(false)} />
        ) : (
          <UserButton name={user.name} onClick={() => loadMenu(true)} />
        )}
      </div>
    </header>
  )
}
