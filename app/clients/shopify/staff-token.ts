import { z } from "zod";
import { type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";

/** Tells a token of the admin from a token of the customer accounts. */
const staffClaims = z
  .object({
    sub: z.string().regex(/^\d+$/),
    dest: z.string().startsWith("https://"),
    iss: z.string(),
    aud: z.string().min(1),
    // Shopify's library lets a token without an end pass.
    exp: z.number(),
  })
  .refine(({ dest, iss }) => iss === `${dest}/admin`);

/**
 * Whether a call carries a session token that is no member of staff's. Shopify signs the tokens of customer
 * accounts with the same secret and for the same audience, and its library, which checks both, looks at no
 * more: a customer's token must not open the merchant's pages. Nothing is believed here; a call without a token,
 * or with one that cannot be read, is left to the library. That takes a token from the header whatever is written
 * before it, so every place is looked at, and nothing is asked of how it is written.
 */
export function carriesShoppersToken(request: Request): boolean {
  const places = [
    request.headers.get("authorization"),
    new URL(request.url).searchParams.get("id_token"),
  ];
  return places.some((token) => {
    const claims = token && readClaims(token);
    return Boolean(claims) && !isStaffs(claims);
  });
}

/** Whether the claims of a session token are those of a member of staff in the admin. */
export const isStaffs = (claims: unknown): boolean => staffClaims.safeParse(claims).success;

function readClaims(token: string): unknown {
  try {
    const body = token.split(".")[1] ?? "";
    return JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  } catch {
    // Anybody may send what is no token; its error quotes what was sent.
    return null;
  }
}

/** The session token of a call that the library has verified, wherever in the call it stands. */
export const sessionTokenOf = (request: Request): string | null =>
  /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ??
  new URL(request.url).searchParams.get("id_token");

/** The shop that a token names; nothing is believed of it. Null when it names none. */
export function shopOfToken(token: string): ShopDomain | null {
  const named = z.object({ dest: z.string() }).safeParse(readClaims(token));
  return named.success ? shopDomain(named.data.dest.replace(/^https:\/\//, "")) : null;
}
