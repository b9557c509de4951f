/** The codes of interface §7.3, and the few conditions that the interface leaves without one. */
export const apiErrorCodes = [
  "MISSING_AUTHORIZATION_HEADER",
  "INVALID_JWT",
  "INVALID_JWT_SIGNATURE",
  "INVALID_PARAMETER",
  "INVALID_PAYLOAD",
  "REFERRAL_NOT_FOUND",
  "RESULT_NOT_FOUND",
  "MISSING_PROVIDER_NUMBER",
  "INVALID_PROVIDER_NUMBER",
  "MISSING_PROVIDER_SIGNATURE",
  "INVALID_MEDICARE_TEST",
  "INVALID_MEDICARE_NUMBER",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "PAYLOAD_TOO_LARGE",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "FORBIDDEN",
  "CONFLICT",
  "ATTACHMENT_UNAVAILABLE",
] as const;

export type ApiErrorCode = (typeof apiErrorCodes)[number];

/** The body of interface §7.1. */
export interface ApiErrorBody {
  error: true;
  code: ApiErrorCode;
  message: string;
  errorList: string[];
}

/** A refusal that the caller is told about. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly errorList: string[];
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: ApiErrorCode,
    message: string,
    more: { errorList?: string[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errorList = more.errorList ?? [];
    this.headers = more.headers ?? {};
  }

  body(): ApiErrorBody {
    return { error: true, code: this.code, message: this.message, errorList: this.errorList };
  }
}

/** 400 INVALID_PARAMETER: something in the address or the headers is wrong. */
export function invalidParameter(message: string, errorList: string[] = []): ApiError {
  return new ApiError(400, "INVALID_PARAMETER", message, { errorList });
}

/** 400 INVALID_PAYLOAD: something in the body is wrong. */
export function invalidPayload(message: string, errorList: string[] = []): ApiError {
  return new ApiError(400, "INVALID_PAYLOAD", message, { errorList });
}
