import { hashSecret, lifetimeMs, TOKEN_FORM } from "../../modules/kernel/secret.ts";

const NAME = "pathway_visit";
const TOKEN = new RegExp(`^${TOKEN_FORM}$`);

/** The secret that this browser keeps of its session; null without one. */
export function sessionSecret(request: Request): string | null {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === NAME && value && TOKEN.test(value)) return value;
  }
  return null;
}

const SHARE_NAME = "pathway_share";
const VISIT = /^\d{13}\.[\w-]{43}$/;

/** The proof of this browser that it has shown the passcode of a share; null without one. */
export function shareVisit(request: Request): string | null {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === SHARE_NAME && value && VISIT.test(value)) return value;
  }
  return null;
}

/** Keeps that proof for the address of one share. */
export const shareCookie = (visit: string, at: { path: string; secure: boolean }): string =>
  sessionCookie(visit, at).replace(NAME, SHARE_NAME);

/**
 * Keeps the secret for one path: a browser can be on several sessions, and none is sent anywhere else. Not
 * readable by script, not sent along by other sites' forms.
 */
export function sessionCookie(
  secret: string,
  { path, secure }: { path: string; secure: boolean },
): string {
  const age = secret === "" ? 0 : lifetimeMs("guest_session") / 1000;
  const flags = `HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  return `${NAME}=${secret}; Path=${path}; Max-Age=${age}; ${flags}`;
}

/** Returns the proof that a form belongs to this session. Only its browser and this answer know the secret. */
export const sessionFormToken = (secret: string): string =>
  hashSecret(`form ${secret}`).toString("base64url");
