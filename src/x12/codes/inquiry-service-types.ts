const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
const lettered = (letter: string, seconds: string) => [...seconds].map((second) => letter + second)

/** EQ01: the service types that an inquiry may request. Answers use more of them. Source: 005010X279A1 2110C EQ. */
export const inquiryServiceTypes: ReadonlySet<string> = new Set([
  ...range(1, 28),
  '30',
  ...range(32, 99),
  ...lettered('A', '0123456789ABCDEFGHIJKLMNOQR'),
  ...lettered('B', '123ABCDEFGHIJKLMNPQRSTUVWXYZ'),
  ...lettered('C', '1ABCDEFGHIJKLMNOPQ'),
  ...['DG', 'DM', 'DS', 'GF', 'GN', 'GY', 'IC', 'MH', 'NI', 'ON', 'PT', 'PU', 'RN', 'RT', 'TC', 'TN', 'UC'],
])

/** Maximum repetitions of EQ01. Source: 005010X279A1 2110C EQ. */
export const INQUIRY_SERVICE_TYPES_MAX = 99
