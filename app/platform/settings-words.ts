/** What each setting is for, in docs/settings.md and where a start misses it. */
export const SETTINGS_WORDS = {
  PORT: "where the process listens",
  PATHWAY_HOST: "the address that it listens at; 0.0.0.0 in a container",
  PATHWAY_TRUSTED_PROXIES:
    "addresses and ranges of your proxies, whose `X-Forwarded-For` is believed; without it all anonymous visitors behind them share one limit",
  PATHWAY_ADMIN_PORT:
    "where each process answers `GET /livez`, `GET /readyz` and `GET /metrics`; 0 for any free port",
  PATHWAY_ADMIN_HOST: "the address of that port; keep it inside your network",
  PATHWAY_ROLES:
    "what this process does: `web` takes in messages and shows pages, `worker` does the rest",
  DATABASE_URL:
    "PostgreSQL 15 or newer, as `pathway_web`, or in a worker as `pathway_worker`; for `npm run migrate` as the owner. Without it one is started in `PATHWAY_DATA_DIR`",
  DATABASE_WORKER_URL:
    "the same database as `pathway_worker`, for a process that is web and worker",
  DATABASE_INTAKE_URL:
    "the same database as `pathway_intake`; required for web with `DATABASE_URL`",
  DATABASE_DIRECT_URL:
    "PostgreSQL itself, when `DATABASE_URL` leads through a proxy that pools transactions; for a process the login in it does not count, for `npm run migrate` it is the owner's",
  PATHWAY_TENANT_KEYS:
    "`id:base64 of 32 bytes`, what processes prove to the database for which shop they speak, the active key first; the same for `npm run migrate`; required with `DATABASE_URL`",
  PATHWAY_WEB_PASSWORD: "for `npm run migrate` alone: the password that `pathway_web` gets",
  PATHWAY_WORKER_PASSWORD: "for `npm run migrate` alone: the password that `pathway_worker` gets",
  PATHWAY_INTAKE_PASSWORD: "for `npm run migrate` alone: the password that `pathway_intake` gets",
  DATABASE_POOL_SIZE:
    "connections of a process to the database, 8 at least; one that takes messages has 4 more for them",
  PATHWAY_MIGRATION_TIMEOUT_MS: "how long one script of a migration may take",
  PATHWAY_DATA_DIR: "the database's files when there is no `DATABASE_URL`",
  PATHWAY_AUDIT_DIR:
    "the folder in which the heads of the access logs' chains are noted, outside the database; without it `audit` in `PATHWAY_DATA_DIR`",
  PATHWAY_DOCUMENTS:
    "where PDFs go, sealed: `database`, `files` or `s3`. After a change, those that are there move by themselves; keep the former store set up until they have",
  PATHWAY_DOCUMENTS_DIR:
    "the folder of `files`, which every process shares; without it `documents` in `PATHWAY_DATA_DIR`",
  PATHWAY_S3_ENDPOINT: "the store of `s3`, without the bucket",
  PATHWAY_S3_REGION: "the region that requests to it are signed for",
  PATHWAY_S3_BUCKET: "the bucket, which is there already; keep it private and in Australia",
  PATHWAY_S3_ACCESS_KEY_ID: "a login that may put, get, list and delete there, and nothing else",
  PATHWAY_S3_SECRET_ACCESS_KEY: "its secret",
  PATHWAY_KEY_DIR:
    "the folder of the keys that lie outside the database; every process shares it, and nobody may lose it; without it `keys` in `PATHWAY_DATA_DIR`",
  PATHWAY_MASTER_KEYS:
    "`id:base64 of 32 bytes`, the active key first; required with `DATABASE_URL`",
  SHOPIFY_APP_URL: "where the world reaches Pathway",
  SHOPIFY_API_KEY: "the app's client id",
  SHOPIFY_API_SECRET: "the app's client secret",
  SHOPIFY_API_SECRET_PREVIOUS: "the former secret, while it is being rotated",
  SHOPIFY_API_ORIGIN: "for a stand-in such as the sandbox store",
  SHOPIFY_ADMIN_ORIGIN: "for a stand-in such as the sandbox store",
  APP_BRIDGE_URL: "for a stand-in such as the sandbox store",
  REFERRAL_SERVICE_STAGING_BASE_URL: "the service's staging API",
  REFERRAL_SERVICE_STAGING_AUTH_URL: "the token service of staging",
  REFERRAL_SERVICE_STAGING_APP_URL: "the web application of staging, for links in the admin",
  REFERRAL_SERVICE_PRODUCTION_BASE_URL:
    "the service's production API; leave it out to allow staging only",
  REFERRAL_SERVICE_PRODUCTION_AUTH_URL:
    "the token service of production; required with its API's address",
  REFERRAL_SERVICE_PRODUCTION_APP_URL: "the web application of production, for links in the admin",
  REFERRAL_SERVICE_VENDOR: "vendor token of the media type (interface §9)",
  REFERRAL_ATTACHMENT_HOSTS:
    "hosts from which PDFs may be fetched, comma separated: `host` for https, or `host:port`; the hosts of the base URLs by default. No merchant can change it",
  SMTP_URL: "outgoing mail",
  MAIL_FROM: "the sender of mails; required with `SMTP_URL`, unless that is of this machine",
  PATHWAY_CREATE_TIMEOUT_MS: "how long creating a referral may take",
  PATHWAY_CREATES_AT_ONCE: "create calls that one shop may have under way in one process",
  PATHWAY_QUARANTINE_MS: "how long an unclear creation is left alone before it is looked for again",
  PATHWAY_DOCUMENT_OVERDUE_MS: "how long a PDF may be missing before a person is told",
  PATHWAY_ERASURE_DELAY_MS:
    "how long after `shop/redact` arrived a shop is erased; an install or the operator cancels it until then",
  PATHWAY_KEEP_ALIVE_MS:
    "how long a connection may rest between two requests; longer than the proxy in front keeps an idle one (nginx and AWS 60 s, Caddy 120 s, Google 600 s), or it answers 502 now and then",
  PATHWAY_DRAIN_MS:
    "how long a process that stops still takes requests after it is unready, for load balancers to see it",
  PATHWAY_STOP_GRACE_MS:
    "how long jobs may take to end after SIGTERM, before creates are aborted and recorded as unclear",
  PATHWAY_SYNC_INTERVAL_MS: "how often the service's list is compared with what its events told",
  PATHWAY_REMINDER_DAY_MS: "how long the days last by which reminders are counted",
  PATHWAY_MAIL_WINDOW_MS: "how long news of an order waits for further news, to be mailed together",
  PATHWAY_ESCALATION_HOUR_MS:
    "how long the hours last by which alerts about held results are counted",
  PATHWAY_START_PAUSED_UNTIL_SYNCED:
    "after a restore that Pathway cannot notice: send nothing until the service's lists have been compared",
  PATHWAY_ALLOW_PLAIN_HTTP:
    "1 to start in production with plain http addresses, or with mail or a database without TLS; the start says which",
  PATHWAY_MAINTENANCE_INTERVAL_MS:
    "how often missed orders are looked for, and privacy requests and retention attended to",
  PATHWAY_EMAIL_BY_SERVICE: "whether the service mails the referral form itself",
  PATHWAY_CRASH_AT: "for tests only (docs/decisions/0012)",
  PATHWAY_CRASH_CONTROL_DIR: "for tests only (docs/decisions/0012)",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "address of a collector that takes traces (OTLP over HTTP, without `/v1/traces`); without it nothing is traced",
  OTEL_EXPORTER_OTLP_HEADERS:
    "`name=value` pairs with commas between them, for a collector that wants a key",
  OTEL_TRACES_SAMPLER_ARG: "the share of orders that are traced, from 0 to 1",
  LOG_LEVEL: "JSON lines on standard error; ids and codes only",
};
