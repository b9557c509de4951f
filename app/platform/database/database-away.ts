import { errorCode } from "../error-code.ts";

/**
 * Codes of Prisma, PostgreSQL and the system for a database that can't be reached, or that has no room or time for one more: no
 * connection, no disk (53100, 58030) and no memory (53200). A password or a certificate that was exchanged under a running
 * process (28…, and what TLS says) is put right by an operator: no shop's transaction has failed.
 */
const AWAY = new Set([
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2037"],
  ...[
    "08000",
    "08001",
    "08003",
    "08004",
    "08006",
    "25006",
    "28000",
    "28P01",
    // Its name is gone for now, as while an operator restores it under another one.
    "3D000",
    "53100",
    "53200",
    "53300",
    "55000",
    "57P01",
    "57P02",
    "57P03",
    "58030",
    // The server's own limits of time, where an operator has set them: for locks, statements, transactions and idle sessions.
    ...["55P03", "57014", "25P03", "25P04", "57P05"],
    // By which PgBouncer says whatever it has to say itself: no more clients, no server, none in time.
    "08P01",
  ],
  ...["database_not_writable", "database_switched", "transaction_timed_out"],
  ...[
    "CERT_CHAIN_TOO_LONG",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "CERT_REJECTED",
    "CERT_REVOKED",
    "CERT_SIGNATURE_FAILURE",
    "CERT_UNTRUSTED",
    "CRL_HAS_EXPIRED",
    "CRL_NOT_YET_VALID",
    "CRL_SIGNATURE_FAILURE",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERROR_IN_CERT_NOT_AFTER_FIELD",
    "ERROR_IN_CERT_NOT_BEFORE_FIELD",
    "ERROR_IN_CRL_LAST_UPDATE_FIELD",
    "ERROR_IN_CRL_NEXT_UPDATE_FIELD",
    "ERR_TLS_CERT_ALTNAME_FORMAT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "HOSTNAME_MISMATCH",
    "INVALID_CA",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
    "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
    "UNABLE_TO_DECRYPT_CRL_SIGNATURE",
    "UNABLE_TO_GET_CRL",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    // By which Prisma's driver says any of these.
    "TlsConnectionError",
  ],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "ENETUNREACH"],
]);
/**
 * The driver's words for failures that it gives no code: a connection that ended, a query on one that has ended, a
 * connection that did not come in time, a server that does not go on with TLS. And PostgreSQL's words for a database that
 * has to be vacuumed before it writes again, whose code (54000) stands for much else.
 */
const SAID =
  /to avoid wraparound data loss|timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable|does not support SSL connections|error establishing an SSL connection/;
const MAX_CAUSES = 6;

/**
 * Whether a statement failed because the database was away or too busy, so that the same may succeed in a while. Looks through
 * an error's causes.
 */
export function isDatabaseAway(error: unknown): boolean {
  let one = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof one === "object" && one !== null; depth++) {
    const { message, originalCode, kind, cause, meta } = one as Record<string, unknown>;
    if ([errorCode(one), String(originalCode), String(kind)].some((code) => AWAY.has(code)))
      return true;
    if (typeof message === "string" && SAID.test(message)) return true;
    one = cause ?? adapterError(meta);
  }
  return false;
}

/** Where Prisma keeps what the driver said, when it has no code of its own for it. */
const adapterError = (meta: unknown): unknown =>
  typeof meta === "object" && meta !== null && "driverAdapterError" in meta
    ? meta.driverAdapterError
    : null;
