export function CheckScreen() {
  return <h1>Check</h1>
}
