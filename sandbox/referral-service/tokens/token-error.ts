/** The errors of the token service (interface §7.4). HTTP statuses are our reading: RFC 6749's. */
const table = {
  UserNotFound: { code: "102", status: 401, message: "User account does not exist" },
  RefreshTokenInvalid: { code: "108", status: 400, message: "Refresh token invalid or expired" },
  InvalidGrantType: { code: "109", status: 400, message: "Unsupported grant type" },
  InvalidClientId: { code: "110", status: 401, message: "Client id invalid or not found" },
  MissingClientId: { code: "111", status: 400, message: "Client id parameter required" },
  AuthorizationTokenNotFound: {
    code: "117",
    status: 401,
    message: "Authorization token not found",
  },
  AuthorizationHeaderInvalid: {
    code: "118",
    status: 401,
    message: "Invalid authorization header format",
  },
  InvalidCredentials: { code: "123", status: 401, message: "Email or password incorrect" },
} as const;

export type TokenErrorType = keyof typeof table;

/** A refusal of the token service or of a sign-in. */
export class TokenError extends Error {
  readonly type: TokenErrorType;
  readonly status: number;

  constructor(type: TokenErrorType, message: string = table[type].message) {
    super(message);
    this.type = type;
    this.status = table[type].status;
  }

  /** The body of interface §7.4. */
  body(): { error: true; code: string; type: string; message: string } {
    return { error: true, code: table[this.type].code, type: this.type, message: this.message };
  }
}
