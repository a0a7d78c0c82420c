import { Button } from '@mantine/core'
import { useWrite } from '../api/query.ts'
import { announce } from './announce.tsx'

/** The write of `EndSession`. It belongs to the list: the row of an ended session is gone before its success is announced. */
export const useEndSession = () => useWrite('sessions.remove', ['sessions.getMulti'])

interface Props {
  end: ReturnType<typeof useEndSession>
  session: { id: string; is_current?: boolean }
  /** Tells the buttons of a list apart: `of Ana Sato since Mar 16, 8:00 AM`. */
  name: string
}

/** Ends a session. The current one has no button: it ends with "Sign out". */
export function EndSession({ end, session, name }: Props) {
  if (session.is_current) return 'This session'
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`End session ${name}`}
      loading={end.isPending && end.variables?.path.session_id === session.id}
      onClick={() =>
        end.mutate({ path: { session_id: session.id } }, { onSuccess: () => announce('The session has ended.') })
      }
    >
      End session
    </Button>
  )
}
