// Limits of the interface to which the console keeps as well: it is a client like any other.

/** The largest page: a larger `limit` gets this one. */
export const PAGE_LIMIT_MAX = 1000
/** The ids in one request for the names of users. */
export const USER_NAMES_MAX = 100
/** The ids in one request for the limits of coverages. */
export const COVERAGE_LIMITS_MAX = 100
/** The checks in one batch, as many as clearinghouses accept. Source: clearinghouse.md A5. */
export const BATCH_MAX = 10_000
/** The characters of a password that a person chooses. Source: NIST SP 800-63B-4, 3.1.1.2. */
export const PASSWORD_MIN = 12
/** What stands for a stored secret in an answer, and keeps it in a request. */
export const STORED_SECRET = '(set)'
