import { z } from "zod";
import type { Platform } from "../platform.ts";
import { verifyAdminToken } from "../session-tokens/verify.ts";
import { credentials } from "../state/credentials.ts";
import { type ShopDocument, staffOf } from "../state/shop.ts";
import { issueEndlessToken, issueExpiringToken, issueOnlineToken } from "./issue-token.ts";

const client = { client_id: z.string(), client_secret: z.string() };

const exchange = z.object({
  ...client,
  grant_type: z.literal("urn:ietf:params:oauth:grant-type:token-exchange"),
  subject_token: z.string(),
  subject_token_type: z.literal("urn:ietf:params:oauth:token-type:id_token"),
  requested_token_type: z.enum([
    "urn:shopify:params:oauth:token-type:online-access-token",
    "urn:shopify:params:oauth:token-type:offline-access-token",
  ]),
  expiring: z.coerce.string().optional(),
});

const refresh = z.object({
  ...client,
  grant_type: z.literal("refresh_token"),
  refresh_token: z.string(),
});

const grant = z.discriminatedUnion("grant_type", [exchange, refresh]);

export interface TokenResponse {
  status: number;
  body: Record<string, unknown>;
}

/**
 * `POST /admin/oauth/access_token`: token exchange and refresh, as JSON or form.
 * Answers 400 `invalid_subject_token`, `invalid_grant` or `invalid_request`, 401 `invalid_client`.
 */
export async function answerTokenRequest(
  platform: Platform,
  shop: ShopDocument,
  body: unknown,
): Promise<TokenResponse> {
  const parsed = grant.safeParse(body);
  if (!parsed.success) return refusal(400, "invalid_request", "A parameter is missing or unknown.");
  const request = parsed.data;
  const app = credentials(platform);
  if (request.client_id !== app.apiKey || !app.secrets.includes(request.client_secret)) {
    return refusal(401, "invalid_client", "Client authentication failed.");
  }
  return request.grant_type === "refresh_token"
    ? refreshToken(platform, shop, request.refresh_token)
    : exchangeToken(platform, shop, request);
}

async function exchangeToken(
  platform: Platform,
  shop: ShopDocument,
  request: z.infer<typeof exchange>,
): Promise<TokenResponse> {
  const subject = await verifyAdminToken(platform, request.subject_token);
  if (!subject || subject.shop !== shop.id) {
    return refusal(400, "invalid_subject_token", "The subject token is invalid or has expired.");
  }
  // A token from before an uninstallation must not bring the app back: only the merchant does (POST /install).
  const install = platform.data.installs.get(shop.id);
  if (!install?.installed) {
    return refusal(400, "invalid_subject_token", "The app is not installed in this shop.");
  }
  const { scopes } = install;
  if (request.requested_token_type.endsWith("offline-access-token")) {
    const issue = request.expiring === "1" ? issueExpiringToken : issueEndlessToken;
    return ok(issue(platform, { shop: shop.id, scopes }));
  }
  const staff = staffOf(shop, subject.userId);
  if (!staff) return refusal(400, "invalid_subject_token", "The shop has no such user.");
  const online = issueOnlineToken(platform, shop.id, scopes, subject.userId);
  return ok({
    ...online,
    associated_user_scope: online.scope,
    associated_user: {
      id: staff.id,
      first_name: staff.firstName,
      last_name: staff.lastName,
      email: staff.email,
      email_verified: true,
      account_owner: staff.id === shop.staff.id,
      locale: "en",
      collaborator: false,
    },
  });
}

/** How long a used refresh token may be retried after its first use. */
const recoveryMs = 30 * 86_400_000;

/**
 * Replaces the pair. Somebody who lost the answer may present the old refresh token again until its replacement is
 * used: at most for 30 days, and never past its own end.
 */
function refreshToken(platform: Platform, shop: ShopDocument, presented: string): TokenResponse {
  const nowMs = platform.clock.nowMs();
  for (const { scopes, ...token } of platform.data.tokens.all()) {
    if (token.shop !== shop.id) continue;
    const endsAtMs = token.refreshExpiresAtMs ?? 0;
    if (token.refreshToken === presented && endsAtMs > nowMs) {
      const untilMs = Math.min(endsAtMs, nowMs + recoveryMs);
      const recovery = { refreshToken: presented, untilMs };
      return ok(issueExpiringToken(platform, { shop: shop.id, scopes, recovery }));
    }
    const { recovery } = token;
    if (recovery?.refreshToken === presented && recovery.untilMs > nowMs) {
      return ok(issueExpiringToken(platform, { shop: shop.id, scopes, recovery }));
    }
  }
  return refusal(400, "invalid_grant", "This refresh token has expired or was revoked.");
}

const ok = (body: object): TokenResponse => ({ status: 200, body: { ...body } });

const refusal = (status: number, error: string, description: string): TokenResponse => ({
  status,
  body: { error, error_description: description },
});
