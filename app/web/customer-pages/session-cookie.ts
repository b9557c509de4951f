import { LAPSED_SESSION_MS } from "../../modules/access/link.ts";
import { hashSecret, lifetimeMs, TOKEN_FORM } from "../../modules/kernel/secret.ts";

/** The name by http, which browsers of earlier versions keep too. */
const NAME = "pathway_visit";
const TOKEN = new RegExp(`^${TOKEN_FORM}$`);

/**
 * The name by https. The prefix makes browsers take the cookie from this very host alone, and for all of its paths: so the
 * name, not the path, tells one visit from another.
 */
const hostName = (place: string) => `__Host-${NAME}.${place}`;

/** The place of a mailed link's own address. A visit's place is the id of its link. */
export const placeOfToken = (token: string): string =>
  hashSecret(token).toString("hex").slice(0, 16);

/** The secret that this browser keeps of its session at a place; null without one. */
export const sessionSecret = (request: Request, place: string): string | null =>
  cookieSecret(request.headers.get("cookie") ?? "", place);

/**
 * The secret that this host alone can have given this browser, to begin a session with. By https a cookie without the prefix may be
 * planted by another host of the same domain, and whoever planted it knows the secret.
 */
export const ownSecret = (
  request: Request,
  place: string,
  { secure }: { secure: boolean },
): string | null =>
  cookieSecret(request.headers.get("cookie") ?? "", place, secure ? [hostName(place)] : undefined);

/** The same as `sessionSecret`, of the header's text. `names`: the cookies that count, the first of them first. */
export function cookieSecret(
  cookies: string,
  place: string,
  names = [hostName(place), NAME],
): string | null {
  const values = new Map(
    cookies.split(";").map((part) => {
      const [name = "", value = ""] = part.trim().split("=");
      return [name, value] as const;
    }),
  );
  const secret = names.map((name) => values.get(name)).find(Boolean);
  return secret && TOKEN.test(secret) ? secret : null;
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

/** Keeps that proof for the address of one share: by its path, for a browser may have several. */
export function shareCookie(
  visit: string,
  { path, secure }: { path: string; secure: boolean },
): string {
  const age = lifetimeMs("guest_session") / 1000;
  const cookie = `${SHARE_NAME}=${visit}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Lax`;
  return secure ? `${cookie}; Secure` : cookie;
}

/**
 * Keeps the secret for one place: a browser can be on several sessions. Not readable by script, not sent along by other
 * sites' forms. By http the cookie is sent to one path only.
 */
export function sessionCookie(
  secret: string,
  { place, path, secure }: { place: string; path: string; secure: boolean },
): string {
  // It outlives the session: a form that is sent too late then still tells whose it was (docs/decisions/0055).
  const age = secret === "" ? 0 : (lifetimeMs("guest_session") + LAPSED_SESSION_MS) / 1000;
  const rest = `Max-Age=${age}; HttpOnly; SameSite=Lax`;
  return secure
    ? `${hostName(place)}=${secret}; Path=/; ${rest}; Secure`
    : `${NAME}=${secret}; Path=${path}; ${rest}`;
}

/** Returns the proof that a form belongs to this session. Only its browser and this answer know the secret. */
export const sessionFormToken = (secret: string): string =>
  hashSecret(`form ${secret}`).toString("base64url");
