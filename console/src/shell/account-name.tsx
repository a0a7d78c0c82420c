import { useSession } from '../api/session.ts'

/** Tells a password manager whose password the form asks for, where several people use one computer (WCAG 2.2, 3.3.8). */
export function AccountName() {
  const { username } = useSession().user
  return <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
}
