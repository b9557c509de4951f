import { AppError } from "../../platform/errors.ts";

/** A call to Shopify's Admin API that did not give what was asked for. */
export class StoreError extends AppError {
  readonly code:
    | "store_unreachable"
    | "store_refused"
    /** Shopify answered that it does not let the app in. */
    | "store_not_signed_in"
    /** Shopify knows no store of that name: it may have another one by now. */
    | "store_not_found"
    /** There is no token to ask with. */
    | "store_no_session"
    | "store_unreadable"
    /** It was sent, may not be sent twice, and nobody knows whether it was done. */
    | "store_unclear";
  /** Even a refusal ends when a scope or an approval is granted, and what was paid for must not be lost. */
  readonly retryable: boolean;

  constructor(code: StoreError["code"], cause?: unknown) {
    super(code, { cause });
    this.name = "StoreError";
    this.code = code;
    this.retryable = code !== "store_unclear";
  }
}
