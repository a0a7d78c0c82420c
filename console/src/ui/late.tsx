// Parts that are loaded when they are first opened: dialogs and menus, which would be a good part of the first screen.
import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { announceFailure } from './announce.tsx'

const nothing = () => null

/**
 * Makes such a part. Where it cannot be loaded, after a restart or a new release, the screen stays with what was typed, and `onMissing` closes
 * the part. Browsers load a module that failed again only after a reload.
 */
export function late<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Part: ComponentType<object> = lazy(load as () => Promise<{ default: ComponentType<object> }>)
  return function Late({ fallback, onMissing, ...props }: Props & { fallback?: ReactNode; onMissing(): void }) {
    const report = () => {
      announceFailure('This could not be loaded. Save what you have typed, then reload the page.')
      onMissing()
    }
    return (
      <CatchBoundary getResetKey={() => 'late'} onCatch={report} errorComponent={nothing}>
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </CatchBoundary>
    )
  }
}
