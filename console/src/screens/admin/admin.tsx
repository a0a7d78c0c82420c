import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import { mayCall } from '../../rules/scopes.ts'
import { NotAllowed, NotFound } from '../../ui/not-found.tsx'
import { Loading } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { isSection, type SectionName, sections } from './sections.ts'

export function Admin() {
  const { section } = useParams({ from: '/admin/$section' })
  const { scopes } = useSession()
  const names = (Object.keys(sections) as SectionName[]).filter((name) => mayCall(scopes, sections[name].needs))
  const known = isSection(section) && names.includes(section) ? sections[section] : undefined
  useEffect(() => {
    if (known) document.title = `${known.label} · Anteroom`
  }, [known])
  return (
    <div className={styles.page}>
      <nav className={styles.menu} aria-label="Administration">
        {names.map((name) => (
          <Link key={name} to="/admin/$section" params={{ section: name }}>
            {sections[name].label}
          </Link>
        ))}
      </nav>
      <div className={styles.part}>
        {known && (
          <>
            <h1>{known.label}</h1>
            <Suspense fallback={<Loading what={known.label} />}>
              <known.Part />
            </Suspense>
          </>
        )}
        {!known && (isSection(section) ? <NotAllowed /> : <NotFound />)}
      </div>
    </div>
  )
}
