import { afterAll, beforeAll, expect, test } from "vitest";
import { fields, type Harness, postForm, send, startHarness } from "../testing/harness.ts";
import { tokenError, tokens } from "../wire/common.ts";

let harness: Harness;
let credentials: { client_id: string; client_secret: string };
beforeAll(async () => {
  harness = await startHarness();
  const { clientId, clientSecret } = harness.service.seed;
  credentials = { client_id: clientId, client_secret: clientSecret };
});
afterAll(() => harness.stop());

const grant = { grant_type: "client_credentials" };
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});

async function refusal(form: Record<string, string>, headers: Record<string, string> = {}) {
  const reply = await postForm(harness.baseUrl, form, headers);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.status).toBeLessThan(500);
  return tokenError.parse(reply.body);
}

const tests = (token: string) =>
  send(`${harness.baseUrl}/v1/tests`, { headers: { authorization: `Bearer ${token}` } });

test("client credentials in the header and in the body give tokens that work", async () => {
  const inHeader = await postForm(
    harness.baseUrl,
    grant,
    basic(credentials.client_id, credentials.client_secret),
  );
  const inBody = await postForm(harness.baseUrl, { ...grant, ...credentials });
  for (const reply of [inHeader, inBody]) {
    expect(reply.status).toBe(200);
    const answer = tokens.parse(reply.body);
    expect(answer).toMatchObject({ expires_in: 3600, refresh_expires_in: 2_592_000 });
    expect((await tests(answer.access_token)).status).toBe(200);
  }
});

test("the access token is a signed JWT that expires", async () => {
  const reply = await postForm(harness.baseUrl, { ...grant, ...credentials });
  const [head = "", claims = ""] = tokens.parse(reply.body).access_token.split(".");
  const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  expect(decode(head)).toMatchObject({ alg: "HS256" });
  expect(decode(claims).exp - decode(claims).iat).toBe(3600);
});

test("a refresh token gives new tokens once and never again", async () => {
  const first = tokens.parse((await postForm(harness.baseUrl, { ...grant, ...credentials })).body);
  const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token };
  const second = tokens.parse((await postForm(harness.baseUrl, refresh)).body);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect((await tests(second.access_token)).status).toBe(200);
  expect(await refusal(refresh)).toMatchObject({ code: "108", type: "RefreshTokenInvalid" });
});

test("108 for an unknown and for a missing refresh token", async () => {
  const forms: Record<string, string>[] = [{ refresh_token: "nonsense" }, {}];
  for (const form of forms) {
    expect(await refusal({ grant_type: "refresh_token", ...form })).toMatchObject({ code: "108" });
  }
});

test("109 for an unsupported and for a missing grant type", async () => {
  const forms: Record<string, string>[] = [{ grant_type: "password" }, {}];
  for (const form of forms) {
    expect(await refusal({ ...form, ...credentials })).toMatchObject({
      code: "109",
      type: "InvalidGrantType",
    });
  }
});

test("110 for an unknown client id", async () => {
  expect(await refusal({ ...grant, client_id: "nobody", client_secret: "x" })).toMatchObject({
    code: "110",
    type: "InvalidClientId",
  });
});

test("111 without a client id", async () => {
  expect(await refusal(grant)).toMatchObject({ code: "111", type: "MissingClientId" });
});

test("117 for a scheme without a token, 118 for anything that is not Basic", async () => {
  expect(await refusal(grant, { authorization: "Basic" })).toMatchObject({
    code: "117",
    type: "AuthorizationTokenNotFound",
  });
  for (const authorization of ["Bearer abc", "Basic ???", `Basic ${btoa("no-colon")}`]) {
    expect(await refusal(grant, { authorization })).toMatchObject({
      code: "118",
      type: "AuthorizationHeaderInvalid",
    });
  }
});

test("123 for a wrong client secret", async () => {
  expect(await refusal({ ...grant, ...credentials, client_secret: "wrong" })).toMatchObject({
    code: "123",
    type: "InvalidCredentials",
  });
});

test("102 when the account that enabled API access is gone, and at sign-in", async () => {
  const { token } = await harness.newOrganisation();
  const key = fields(await harness.console("POST", "/api-keys", {}, token));
  await harness.console("DELETE", "/account", undefined, token);
  const form = { client_id: String(key.client_id), client_secret: String(key.client_secret) };
  expect(await refusal({ ...grant, ...form })).toMatchObject({ code: "102", type: "UserNotFound" });
  const signIn = await harness.console("POST", "/sessions", {
    email: "x@example.com",
    password: "y",
  });
  expect(tokenError.parse(signIn.body).code).toBe("102");
});

test("any other content type is refused", async () => {
  const reply = await send(`${harness.baseUrl}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...grant, ...credentials }),
  });
  expect(reply.status).toBe(400);
  expect(tokenError.parse(reply.body).message).toContain("application/x-www-form-urlencoded");
});

test("tokens expire by the server's clock", async () => {
  const own = await startHarness();
  const { clientId, clientSecret } = own.service.seed;
  const form = { ...grant, client_id: clientId, client_secret: clientSecret };
  const answer = tokens.parse((await postForm(own.baseUrl, form)).body);
  expect((await own.call("GET", "/v1/tests")).status).toBe(200);
  await own.console("POST", "/clock", { advanceSeconds: 3601 });
  expect(await own.call("GET", "/v1/tests")).toMatchObject({
    status: 401,
    body: { code: "INVALID_JWT" },
  });
  await own.console("POST", "/clock", { advanceSeconds: 2_592_000 });
  const refresh = { grant_type: "refresh_token", refresh_token: answer.refresh_token };
  expect((await postForm(own.baseUrl, refresh)).body).toMatchObject({ code: "108" });
  await own.stop();
});
