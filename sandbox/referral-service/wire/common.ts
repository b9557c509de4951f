import { z } from "zod";
import { apiErrorCodes } from "../http/api-error.ts";

export const timestamp = z.iso.datetime();
export const url = z.url();
export const uuid = z.uuid();

/** The caller's key-value pairs. */
export const metadata = z.record(z.string(), z.unknown()).nullable();

/** The cursor object of interface §2.6. */
export const cursor = z
  .strictObject({
    cursor: z.string(),
    count: z.int().min(1).max(20),
    resultCount: z.int().min(0).max(20),
  })
  .meta({ id: "Cursor" });

/** The error body of interface §7.1. */
export const apiError = z
  .strictObject({
    error: z.literal(true),
    code: z.enum(apiErrorCodes),
    message: z.string(),
    errorList: z.array(z.string()),
  })
  .meta({ id: "ApiError" });

/** The error body of interface §7.4. */
export const tokenError = z
  .strictObject({
    error: z.literal(true),
    code: z.enum(["102", "108", "109", "110", "111", "117", "118", "123"]),
    type: z.enum([
      "UserNotFound",
      "RefreshTokenInvalid",
      "InvalidGrantType",
      "InvalidClientId",
      "MissingClientId",
      "AuthorizationTokenNotFound",
      "AuthorizationHeaderInvalid",
      "InvalidCredentials",
    ]),
    message: z.string(),
  })
  .meta({ id: "TokenError" });

/** The token answer of interface §5.3. */
export const tokens = z
  .strictObject({
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int(),
    refresh_expires_in: z.int(),
  })
  .meta({ id: "Tokens" });
