/** Responses before the answer itself (1xx), of which a server may send any number: reading them would delay all callers. One or two are usual. */
export const INTERIM_MAX = 20
