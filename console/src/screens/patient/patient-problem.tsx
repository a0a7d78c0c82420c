import { SEARCHED_BY } from '../../rules/search.ts'
import { ScreenProblem } from '../../ui/screen-error.tsx'

/** In place of a screen about a patient who cannot be read. */
export function PatientProblem({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <ScreenProblem
      what="Patient"
      advice={`Find the patient by ${SEARCHED_BY} with “Find patient”.`}
      error={error}
      retry={retry}
    />
  )
}
