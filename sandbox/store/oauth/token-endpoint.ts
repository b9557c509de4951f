import { z } from "zod";
import { credentials, type Platform } from "../platform.ts";
import { verifyAdminToken } from "../session-tokens/verify.ts";
import type { ShopDocument } from "../state/shop.ts";
import { issueOfflineToken, issueOnlineToken } from "./issue-token.ts";

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
    return ok(issueOfflineToken(platform, shop.id, scopes, request.expiring === "1"));
  }
  const online = issueOnlineToken(platform, shop.id, scopes, subject.userId);
  const { staff } = shop;
  return ok({
    ...online,
    associated_user_scope: online.scope,
    associated_user: {
      id: staff.id,
      first_name: staff.firstName,
      last_name: staff.lastName,
      email: staff.email,
      email_verified: true,
      account_owner: true,
      locale: "en",
      collaborator: false,
    },
  });
}

/** The old pair stops working at once. Shopify lets the old refresh token live until its successor is used. */
function refreshToken(platform: Platform, shop: ShopDocument, presented: string): TokenResponse {
  const { tokens } = platform.data;
  const known = tokens.all().find((token) => token.refreshToken === presented);
  const nowMs = platform.clock.nowMs();
  if (!known || known.shop !== shop.id || (known.refreshExpiresAtMs ?? 0) <= nowMs) {
    return refusal(400, "invalid_grant", "This refresh token has expired or was revoked.");
  }
  return ok(issueOfflineToken(platform, shop.id, known.scopes, true));
}

const ok = (body: object): TokenResponse => ({ status: 200, body: { ...body } });

const refusal = (status: number, error: string, description: string): TokenResponse => ({
  status,
  body: { error, error_description: description },
});
