import type { IncomingMessage } from "node:http";
import { accountOfToken } from "../console/console-call.ts";
import type { ConsoleDependencies } from "../console/dependencies.ts";
import type { Account } from "../organisations/account-store.ts";

const cookieName = "referral_service_session";

/** The signed-in account, with the token that the JSON API would take. */
export interface Session {
  account: Account;
  isConsole: boolean;
}

/** The Set-Cookie value that signs in. Strict: no other site's form can act for the person. */
export function sessionCookie(token: string): string {
  return `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict`;
}

/** The Set-Cookie value that signs out. */
export const endSession = `${cookieName}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;

/** Reads the session cookie; null when nobody is signed in. */
export function readSession(
  { core, consoleToken }: ConsoleDependencies,
  message: IncomingMessage,
): Session | null {
  for (const part of (message.headers.cookie ?? "").split(";")) {
    const [name, value = ""] = part.trim().split("=");
    if (name === cookieName && value !== "") return accountOfToken(core, consoleToken, value);
  }
  return null;
}
