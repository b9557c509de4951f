import { ReferralServiceError } from "../../platform/errors.ts";

/**
 * A call that certainly changed nothing at the service: no byte of it left this machine, or the service
 * refused its token. Only this class lets a create call be repeated without asking the service's list.
 */
export class NotSentError extends ReferralServiceError {
  private readonly retryHint: boolean | null;

  constructor(
    failure: ReferralServiceError["failure"],
    message: string,
    detail: ConstructorParameters<typeof ReferralServiceError>[2] & { retryable?: boolean } = {},
  ) {
    super(failure, message, detail);
    this.name = "NotSentError";
    this.retryHint = detail.retryable ?? null;
  }

  override get retryable(): boolean {
    return this.retryHint ?? super.retryable;
  }
}
