import type { Config } from './config.ts'

/** The meaning of each setting: docs/settings.md is generated from these sentences. */
export const settingMeanings = {
  NODE_ENV:
    '`development`, `test` or `production`. In `production` the first start does not create a client automatically, `PUBLIC_URL` is required, and the sandbox starts only with `CLEARINGHOUSE_KIND=sandbox`',
  HOST: 'Address to listen on',
  PORT: 'Port of the whole interface; `0` takes a free one',
  CORE_PORT: 'A second port for the same interface; `0` leaves it closed',
  DATA_DIR: 'Folder of the embedded database, the encryption key file and the images',
  DATABASE_URL:
    'An external PostgreSQL 15 or newer in place of the embedded one. It may name several servers (`postgres://user@a:5432,b:5432/db`): the service finds the one that accepts writes, again after a failover. The service does not create a first client in it. Its login may create roles, or may act as `anteroom_app` already; otherwise a start prints what to run',
  DATABASE_READ_URL:
    'A hot standby of `DATABASE_URL` (streaming replication), which then answers reads. Every answer is as new as one of the primary; while the standby is behind or does not answer, the primary answers',
  DATABASE_PROCESSORS:
    'The processors of the server of `DATABASE_URL`, and of that of `DATABASE_READ_URL`, 5 if not set: about as many long reads of one organization run at once while others use the database. The embedded PostgreSQL has those of the machine',
  ENCRYPTION_KEY:
    '64 hexadecimal digits. Comma-separated during rotation: the first encrypts, all decrypt. Without it a key file is created in `DATA_DIR`',
  BACKUP_PASSPHRASE:
    'The passphrase with which `anteroom backup` encrypts and `anteroom restore` decrypts, unless `--passphrase-file` is given',
  PUBLIC_URL:
    'The http or https address at which callers reach the service; required in production. It is the issuer of access tokens and the start of every `signed_url`. Without it that is the address at which a request arrives, never its `Host` header',
  TLS_CERT_FILE:
    'A PEM file with the certificate and its chain. Both ports then speak HTTPS. A new file is loaded automatically or on `SIGHUP`',
  TLS_KEY_FILE: 'A PEM file with the private key of that certificate',
  TRUSTED_PROXIES:
    'Comma-separated addresses and networks. Only their `X-Forwarded-For`, `-Proto` and `-Host` headers are trusted',
  MAX_REQUESTS_IN_FLIGHT:
    'Concurrent requests, at most three quarters of them from one organization. Further requests get 503 with `Retry-After`',
  PAGE_CACHE_MB:
    'Memory of each process for pages of lists and visits that are requested again while none of their records has changed; 0 keeps none. Not used with `DATABASE_READ_URL`',
  IMAGE_MAX_BYTES: 'The largest image that is accepted, in bytes',
  IMAGE_URL_LIFETIME_SECONDS: 'Seconds for which the `signed_url` of an image is valid',
  S3_BUCKET: 'Stores the images in this bucket of an S3-compatible service instead of a folder in `DATA_DIR`',
  S3_ENDPOINT: 'Address of that service, if it is not AWS',
  S3_REGION: 'Region of the bucket',
  S3_ACCESS_KEY_ID:
    'Access key. Without it the service uses the credentials of the machine: an instance role or `AWS_*` variables',
  S3_SECRET_ACCESS_KEY: 'Secret of that access key',
  S3_FORCE_PATH_STYLE: '`true`: `https://host/bucket/key` instead of `https://bucket.host/key`',
  WORKER_CONCURRENCY:
    'Inquiries of queued checks (batches, verification) that this process has at payers at a time, at most three quarters of them from one organization; `0`: none',
  CHECK_MESSAGE_DAYS:
    'Days for which the encrypted messages of a check are kept. After that `response` is null; the data derived from them (`parsed_response`, `errors`) stays',
  EVENT_RETENTION_DAYS:
    'Days for which events and the deliveries of webhooks are kept: the time that a listener or a receiver may be offline without missing any',
  WEBHOOK_GIVE_UP_DAYS:
    'Days without a successful delivery after which a webhook is disabled; a single delivery is given up after the same time',
  WEBHOOK_PRIVATE_NETWORKS:
    'Comma-separated networks (`10.1.0.0/16`) that webhooks may be sent to in addition to the public Internet, also over plain HTTP. Empty by default',
  CONNECTOR_PRIVATE_NETWORKS:
    'Comma-separated networks (`10.1.0.0/16`) that connectors whose address an organization has set over the API may reach in addition to the public Internet, also over plain HTTP. Empty by default. Connectors of the command line reach any address',
  TOKEN_LIFETIME_SECONDS: 'Seconds for which an access token is valid',
  RATE_LIMIT: 'Calls of one client in 10 seconds, over all processes; `0`: no limit',
  TOKEN_RATE_LIMIT:
    'Tokens a minute for one client and address. Wrong secrets are counted separately, with the same limit',
  OIDC_ISSUER:
    'An OpenID Connect provider with which users can sign in, as an https address; `PUBLIC_URL` with `/anteroom/v1/session/openid/callback` is the redirect URI to register there',
  OIDC_CLIENT_ID: 'Client id at that provider',
  OIDC_CLIENT_SECRET: 'Client secret at that provider',
  OIDC_ORGANIZATION: 'Id or name of the organization whose users sign in with it',
  OIDC_ROLES:
    'The role for each value of the claim, e.g. `administrator=clinic-admins,front_desk=clinic-desk`; the first match applies. Users without a match cannot sign in',
  OIDC_ROLE_CLAIM: 'The claim with these values, a text or a list',
  OIDC_NAME: "The provider's name on the sign-in screen",
  METRICS_HOST: 'Address on which `/metrics` is served',
  METRICS_PORT:
    'Port on which this process, a server or a worker, serves `/metrics` for Prometheus; `0` takes a free one. Without it metrics are not served',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Address of an OpenTelemetry collector, to which traces (`/v1/traces`) and the log (`/v1/logs`) are sent. Without it there are no traces',
  SYSTEM_USER_NAME:
    'The name of automated writes in the timeline and in the audit trail. Without it the timeline has `Candid Health`, the text of the published interface, and the audit trail `Anteroom`',
  LOG_LEVEL: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
  SANDBOX_ROSTER: 'A JSON file with a custom roster for the sandbox clearinghouse',
  CLEARINGHOUSE_NAME: 'Name of the connector of these settings, in addition to those of `anteroom connector`',
  CLEARINGHOUSE_KIND: '`core`, `stedi`, `availity` or `sandbox`',
  CLEARINGHOUSE_URL:
    'Address of a CAQH CORE 2.2.0 endpoint. Without it the sandbox answers; in production every check then fails with an explanation. For Stedi and Availity an address that replaces the standard one',
  CLEARINGHOUSE_FORM: 'CORE envelope: `soap12`, `soap11` or `mime`',
  CLEARINGHOUSE_USERNAME: 'Username issued by the clearinghouse; for Availity the client id',
  CLEARINGHOUSE_PASSWORD: 'Password issued by the clearinghouse; for Availity the client secret',
  CLEARINGHOUSE_API_KEY: 'API key issued by Stedi',
  CLEARINGHOUSE_STEDI_VERSION:
    "Stedi's eligibility check: `2026-06-01` (benefits grouped by plan) or the legacy `2024-04-01`",
  CLEARINGHOUSE_CLIENT_CERT_FILE: 'A PEM file with the client certificate for a CORE clearinghouse (mutual TLS)',
  CLEARINGHOUSE_CLIENT_KEY_FILE: 'A PEM file with the private key of the client certificate',
  CLEARINGHOUSE_CA_FILE: 'A PEM file with the certificate authority of the clearinghouse, if it is a private one',
  CLEARINGHOUSE_SENDER_ID: 'CORE SenderID',
  CLEARINGHOUSE_RECEIVER_ID: 'CORE ReceiverID',
  CLEARINGHOUSE_ISA_SENDER_QUALIFIER: 'ISA05',
  CLEARINGHOUSE_ISA_SENDER_ID: 'ISA06 and GS02',
  CLEARINGHOUSE_ISA_RECEIVER_QUALIFIER: 'ISA07',
  CLEARINGHOUSE_ISA_RECEIVER_ID: 'ISA08 and GS03',
  CLEARINGHOUSE_USAGE: 'ISA15: `P` production, `T` test',
  CLEARINGHOUSE_TIMEOUT_MS: 'Time limit of one check. The published client waits 60 seconds',
  CLEARINGHOUSE_RETRY_HOURS: 'Time for which background checks are retried while the payer cannot be reached',
  CLEARINGHOUSE_MAX_CONCURRENCY:
    'Concurrent checks, at most three quarters of them from one organization; the others wait',
} satisfies Record<keyof Config, string>
