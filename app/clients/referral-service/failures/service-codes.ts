/** Codes of the API (interface §7.3). */
export const API_CODES = [
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
] as const;
export type ApiCode = (typeof API_CODES)[number];

/** Whether a code is one of interface §7.3. */
export const isApiCode = (code: string): code is ApiCode =>
  (API_CODES as readonly string[]).includes(code);

/** The beginning of our own code for a refusal with 403: the organisation may not do it. The service's code follows, where it gave one. */
export const FORBIDDEN = "HTTP_403";

/** Codes of the token service (interface §7.4). */
export const TOKEN_CODES = ["102", "108", "109", "110", "111", "117", "118", "123"] as const;
export type TokenCode = (typeof TOKEN_CODES)[number];
