// The operations of the API as an administrator reads them in the audit trail.

const verbs: Readonly<Record<string, string>> = {
  get: 'view',
  getMulti: 'list',
  getAll: 'list',
  getMultiPaginated: 'list by page',
  getAllByMrn: 'list by MRN',
  getByMrn: 'view by MRN',
  getHistory: 'view history',
  scan: 'read changes',
  post: 'check',
  set: 'change',
  update: 'change',
  remove: 'delete',
  getToken: 'sign in',
}

const inCapitals: Readonly<Record<string, string>> = { api: 'API', mrn: 'MRN', ppg: 'PPG' }

function spaced(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ')
  return words.map((word) => inCapitals[word] ?? word).join(' ')
}

/** `patients.getMultiPaginated` as `Patients: list by page`; a group alone as `Patients`. */
export function describeOperation(operation: string): string {
  const [group = '', ...rest] = operation.split('.')
  const first = spaced(group)
  const subject = `${first.charAt(0).toUpperCase()}${first.slice(1)}`
  if (rest.length === 0) return subject
  const name = rest.join(' ')
  return `${subject}: ${verbs[name] ?? spaced(name).replace(/^get /, 'view ')}`
}
