import { ScreenProblem } from '../../ui/screen-error.tsx'

/** In place of a screen about a patient who cannot be read. */
export function PatientProblem({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <ScreenProblem
      what="Patient"
      advice="Find the patient by name, MRN, member ID, birth date or telephone with “Find patient”."
      error={error}
      retry={retry}
    />
  )
}
