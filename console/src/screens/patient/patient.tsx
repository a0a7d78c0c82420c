export function PatientScreen() {
  return <h1>Patient</h1>
}
