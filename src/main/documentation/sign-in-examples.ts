// Examples of users, sessions and passkeys, for the API description.

export const ONE_TIME_PASSWORD = 'k7fm-2xpq-9abc-dvwr-h3nt'
const CREDENTIAL_ID = 'mdX3fZ1qTq6Jb0rLw3nX5g'
const Passkey = {
  id: '0197a2c9-1b2c-7d3e-8f40-5a6b7c8d9e0f',
  name: 'Front desk computer',
  created_at: '2026-03-02T15:04:05.000Z',
  last_used_at: '2026-03-03T08:00:00.000Z',
}

const User = {
  id: '0197a2bf-6c7d-7e8f-9a0b-1c2d3e4f5a6b',
  username: 'ana',
  name: 'Ana Reyes',
  role: 'front_desk',
  disabled: false,
  must_change_password: false,
  second_factor: true,
  created_at: '2026-03-02T15:05:00.000Z',
}

export const signInExamples = {
  Session: {
    user: { id: User.id, username: User.username, name: User.name, role: User.role },
    organization: { id: '0197a2bf-0a1b-7c2d-8e3f-405162738495', name: 'Harbor Clinic', time_zone: 'America/New_York' },
    scopes: ['*:read', 'appointments:write'],
    csrf_token: 'q0Jmd2xhbnRlcm5vcmJpdHZlbHZldGNhY3R1cw',
    idle_expires_at: '2026-03-02T15:35:00.000Z',
    expires_at: '2026-03-03T03:05:00.000Z',
    must_change_password: false,
    has_password: true,
  },
  SignInMethods: {
    identity_provider: { name: 'Harbor Health', path: '/anteroom/v1/session/openid' },
    passkeys: { relying_party: 'anteroom.example.org' },
  },
  User,
  NewUser: { username: User.username, name: User.name, role: User.role },
  MutableUser: { name: User.name, role: User.role, disabled: false },
  UserName: { id: User.id, name: User.name },
  Passkey,
  PasskeyOptions: { challenge: 'MdPUkmgUYJqRbxeUBqeDdQ', rpId: 'anteroom.example.org', userVerification: 'required' },
  PasskeyName: { name: Passkey.name },
  NewPasskey: {
    name: Passkey.name,
    credential: {
      id: CREDENTIAL_ID,
      rawId: CREDENTIAL_ID,
      type: 'public-key',
      response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
    },
  },
  PasskeySignIn: {
    credential: {
      id: CREDENTIAL_ID,
      rawId: CREDENTIAL_ID,
      type: 'public-key',
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
        authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
        signature: 'MEUCIQDsd0fOyV1cFyjkbBL1cCU2mFKaeHqIVQ',
      },
    },
  },
  UserWithPassword: { ...User, must_change_password: true, one_time_password: ONE_TIME_PASSWORD },
}
