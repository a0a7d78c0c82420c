/** No username, password or code is longer: longer texts are neither hashed nor cached. */
export const CREDENTIAL_MAX = 1024
/** The body of an operation that takes credentials, which are short: callers need not be signed in to send one. */
export const CREDENTIALS_BODY_BYTES = 16 * 1024
