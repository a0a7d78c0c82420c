/** Responses before the answer itself (1xx), which a server may send without end: to read them keeps all callers waiting. One or two are usual. */
export const INTERIM_MAX = 20
