import { RequestedTokenType } from "@shopify/shopify-api";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId } from "../testing/seeded.ts";

let store: OpenStore;
beforeEach(async () => {
  store = await openStore();
  await store.ok("POST", "/install");
});
afterEach(() => store.close());

const adminToken = async (query = "") =>
  String((await store.ok("GET", `/tokens/admin${query}`)).token);
const shopName = (accessToken?: string) => store.graphql("{ shop { name } }", {}, accessToken);
const exchange = (sessionToken: string, expiring = true) =>
  store.library.auth.tokenExchange({
    shop: store.ready.shop,
    sessionToken,
    requestedTokenType: RequestedTokenType.OfflineAccessToken,
    expiring,
  });
const request = async (body: Record<string, string>) => {
  const response = await fetch(`${store.ready.api_url}/admin/oauth/access_token`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-Host": store.ready.shop },
    body: JSON.stringify({
      client_id: store.ready.api_key,
      client_secret: store.ready.api_secret,
      ...body,
    }),
  });
  return { status: response.status, body: await response.json() };
};

describe("token exchange", () => {
  it("gives Shopify's library an expiring offline session", async () => {
    const { session } = await exchange(await adminToken());
    expect(session).toMatchObject({
      isOnline: false,
      shop: store.ready.shop,
      accessToken: expect.stringMatching(/^shpat_/),
      refreshToken: expect.stringMatching(/^shprt_/),
    });
    const inMs = (date: Date | undefined) => (date?.getTime() ?? 0) - Date.now();
    expect(inMs(session.expires)).toBeGreaterThan(3_590_000);
    expect(inMs(session.refreshTokenExpires)).toBeGreaterThan(89 * 86_400_000);
    expect((await shopName(session.accessToken)).body.data).toMatchObject({
      shop: { name: "Harbour Pathology" },
    });
  });

  it("gives an online session with the staff member", async () => {
    const { session } = await store.library.auth.tokenExchange({
      shop: store.ready.shop,
      sessionToken: await adminToken(),
      requestedTokenType: RequestedTokenType.OnlineAccessToken,
    });
    expect(session.isOnline).toBe(true);
    expect(session.onlineAccessInfo?.associated_user).toMatchObject({ account_owner: true });
  });

  it("refuses a forged and an expired session token, and a wrong secret", async () => {
    const exchangeBody = (subject_token: string) => ({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
      expiring: "1",
    });
    const token = await adminToken();
    const forged = `${token.slice(0, -8)}AAAAAAAA`;
    for (const subject of [forged, await adminToken("?lifetimeSeconds=-30")]) {
      expect(await request(exchangeBody(subject))).toMatchObject({
        status: 400,
        body: { error: "invalid_subject_token" },
      });
    }
    expect(await request({ ...exchangeBody(token), client_secret: "guess" })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
    expect(await request({ grant_type: "authorization_code" })).toMatchObject({ status: 400 });
  });

  it("leaves one expiring token active, and none that does not expire usable", async () => {
    const first = await exchange(await adminToken());
    await exchange(await adminToken());
    expect(await shopName(first.session.accessToken)).toMatchObject({ status: 401 });
    const endless = await exchange(await adminToken(), false);
    expect(await shopName(endless.session.accessToken)).toMatchObject({ status: 403 });
  });
});

describe("expiry and refresh", () => {
  it("ends the access token after an hour, and refreshes it with rotation", async () => {
    const { session } = await exchange(await adminToken());
    await store.ok("POST", "/clock", { advanceSeconds: 3_601 });
    expect(await shopName(session.accessToken)).toMatchObject({
      status: 401,
      body: { errors: expect.stringContaining("Invalid API key or access token") },
    });
    const refreshed = await store.library.auth.refreshToken({
      shop: store.ready.shop,
      refreshToken: session.refreshToken ?? "",
    });
    expect((await shopName(refreshed.session.accessToken)).status).toBe(200);
    expect(refreshed.session.refreshToken).not.toBe(session.refreshToken);
  });

  const refused = { status: 400, body: { error: "invalid_grant" } };
  const refresh = (refreshToken = "") =>
    request({ grant_type: "refresh_token", refresh_token: refreshToken });

  it("lets a used refresh token be tried again until its replacement is used", async () => {
    const { session } = await exchange(await adminToken());
    const lost = await refresh(session.refreshToken);
    const retried = await refresh(session.refreshToken);
    expect(retried.status).toBe(200);
    expect((await shopName(retried.body.access_token)).status).toBe(200);
    // One token is active: the answer that was lost is worth nothing.
    expect(await shopName(lost.body.access_token)).toMatchObject({ status: 401 });
    expect((await refresh(retried.body.refresh_token)).status).toBe(200);
    expect(await refresh(session.refreshToken)).toMatchObject(refused);
    expect((await refresh(retried.body.refresh_token)).status).toBe(200);
  });

  it("ends the retries after 30 days, and with the refresh token's own 90 days", async () => {
    const day = 86_400;
    const first = (await exchange(await adminToken())).session;
    await refresh(first.refreshToken);
    await store.ok("POST", "/clock", { advanceSeconds: 29 * day });
    expect((await refresh(first.refreshToken)).status).toBe(200);
    await store.ok("POST", "/clock", { advanceSeconds: 2 * day });
    expect(await refresh(first.refreshToken)).toMatchObject(refused);

    const second = (await exchange(await adminToken())).session;
    await store.ok("POST", "/clock", { advanceSeconds: 80 * day });
    expect((await refresh(second.refreshToken)).status).toBe(200);
    await store.ok("POST", "/clock", { advanceSeconds: 9 * day });
    expect((await refresh(second.refreshToken)).status).toBe(200);
    await store.ok("POST", "/clock", { advanceSeconds: 2 * day });
    expect(await refresh(second.refreshToken)).toMatchObject(refused);
  });

  it("ends the retries with the next token exchange", async () => {
    const { session } = await exchange(await adminToken());
    await refresh(session.refreshToken);
    await exchange(await adminToken());
    expect(await refresh(session.refreshToken)).toMatchObject(refused);
  });

  it("ends the refresh token after 90 days", async () => {
    const { session } = await exchange(await adminToken());
    await store.ok("POST", "/clock", { advanceSeconds: 91 * 86_400 });
    expect(
      await request({ grant_type: "refresh_token", refresh_token: session.refreshToken ?? "" }),
    ).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it("revokes everything at uninstall", async () => {
    const { session } = await exchange(await adminToken());
    await store.ok("POST", "/uninstall");
    expect(await shopName(session.accessToken)).toMatchObject({ status: 401 });
    expect(
      await request({ grant_type: "refresh_token", refresh_token: session.refreshToken ?? "" }),
    ).toMatchObject({ status: 400 });
    expect(await store.control("POST", "/uninstall")).toMatchObject({ status: 409 });
  });
});

describe("a session token from before an uninstallation", () => {
  it("does not bring the app back", async () => {
    const token = await adminToken();
    await store.ok("POST", "/uninstall");
    await expect(exchange(token)).rejects.toThrow();
    await store.ok("POST", "/install");
    expect((await exchange(token)).session.accessToken).toMatch(/^shpat_/);
  });
});

describe("secret rotation", () => {
  it("accepts both secrets and signs with the old one until it is revoked", async () => {
    const { session } = await exchange(await adminToken());
    const rotated = await store.ok("POST", "/app/rotate-secret");
    await store.library.session.decodeSessionToken(await adminToken());
    const refresh = { grant_type: "refresh_token", refresh_token: session.refreshToken ?? "" };
    const withNew = await request({ ...refresh, client_secret: String(rotated.api_secret) });
    expect(withNew.status).toBe(200);
    await store.ok("POST", "/app/revoke-old-secret");
    await expect(store.library.session.decodeSessionToken(await adminToken())).rejects.toThrow();
    expect(await request(refresh)).toMatchObject({ status: 401 });
  });
});

describe("session tokens", () => {
  it("in the admin name shop, app and staff member for a minute", async () => {
    const token = await adminToken();
    const claims = await store.library.session.decodeSessionToken(token);
    expect(claims).toMatchObject({
      iss: `https://${store.ready.shop}/admin`,
      dest: `https://${store.ready.shop}`,
      aud: store.ready.api_key,
      sub: expect.stringMatching(/^\d+$/),
      jti: expect.any(String),
      sid: expect.any(String),
    });
    expect(claims.exp - claims.nbf).toBe(60);
  });

  it("in the customer account name the customer for five minutes, when signed in", async () => {
    const id = await customerId(store);
    const { token } = await store.ok("GET", `/tokens/customer/${encodeURIComponent(id)}`);
    const claims = decodeJwt(String(token));
    expect(claims).toMatchObject({ dest: store.ready.shop, aud: store.ready.api_key, sub: id });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
    expect(claims).not.toHaveProperty("iss");
    const anonymous = await store.ok("GET", "/tokens/customer/anonymous");
    expect(decodeJwt(String(anonymous.token))).not.toHaveProperty("sub");
    expect(await store.control("GET", "/tokens/customer/42")).toMatchObject({ status: 404 });
  });

  it("leave the customer out while the app may not see customers", async () => {
    await store.ok("PUT", "/app", { protectedCustomerData: { customerData: false } });
    const id = (await customerId(store)).split("/").at(-1);
    const { token } = await store.ok("GET", `/tokens/customer/${id}`);
    expect(decodeJwt(String(token))).not.toHaveProperty("sub");
  });

  it("stay valid for the app when the store's clock is moved", async () => {
    await store.ok("POST", "/clock", { advanceSeconds: 86_400 });
    await expect(
      store.library.session.decodeSessionToken(await adminToken()),
    ).resolves.toBeDefined();
  });
});
