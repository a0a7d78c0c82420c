import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isGone } from '../api/client.ts'
import { Problem } from './states.tsx'

interface Props {
  /** What the screen shows, such as `Patient`. */
  what: string
  /** How the user finds another one. */
  advice?: string
  error: unknown
  retry?: (() => void) | undefined
}

/** A screen whose record cannot be shown: with a heading, what to do, and a way on. */
export function ScreenProblem({ what, advice = 'Check the address.', error, retry }: Props) {
  const title = isGone(error) ? `${what} not found` : what
  useEffect(() => {
    document.title = `${title} · Anteroom`
  }, [title])
  return (
    <>
      <h1>{title}</h1>
      {isGone(error) ? (
        <p>It does not exist in your organization. {advice}</p>
      ) : (
        <Problem error={error} retry={retry} />
      )}
      <p>
        <Link to="/today">Go to today</Link>
      </p>
    </>
  )
}

/**
 * After a new release, chunks of the open page no longer exist: a reload loads the new ones. Not while the service is away: the browser would
 * leave the console.
 */
export function ScreenError({ error }: ErrorComponentProps) {
  const retry = () =>
    fetch(document.baseURI, { method: 'HEAD' }).then(
      () => location.reload(),
      () => {},
    )
  return <ScreenProblem what="This page" error={error} retry={retry} />
}
