import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Harness, send, startHarness } from "../testing/harness.ts";
import { apiError } from "../wire/common.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

async function refusal(authorization?: string) {
  const headers = new Headers(
    authorization === undefined ? [] : [["authorization", authorization]],
  );
  const reply = await send(`${harness.baseUrl}/v1/tests`, { headers });
  expect(reply.status).toBe(401);
  return apiError.parse(reply.body).code;
}

test("a missing header, and one that carries no bearer token", async () => {
  expect(await refusal()).toBe("MISSING_AUTHORIZATION_HEADER");
  expect(await refusal("Basic abc")).toBe("INVALID_JWT");
  expect(await refusal("Bearer")).toBe("INVALID_JWT");
  expect(await refusal("Bearer not-a-token")).toBe("INVALID_JWT");
});

test("a changed signature is INVALID_JWT_SIGNATURE, whichever of its characters changed", async () => {
  const { accessToken } = harness;
  const start = accessToken.lastIndexOf(".") + 1;
  for (let index = start; index < accessToken.length; index += 1) {
    const other = accessToken[index] === "A" ? "B" : "A";
    const forged = `${accessToken.slice(0, index)}${other}${accessToken.slice(index + 1)}`;
    expect(await refusal(`Bearer ${forged}`)).toBe("INVALID_JWT_SIGNATURE");
  }
});

test("changed claims and a foreign key are refused", async () => {
  const [head = "", claims = "", signature = ""] = harness.accessToken.split(".");
  const longer = JSON.parse(Buffer.from(claims, "base64url").toString());
  longer.exp += 999_999;
  const changed = Buffer.from(JSON.stringify(longer)).toString("base64url");
  expect(await refusal(`Bearer ${head}.${changed}.${signature}`)).toBe("INVALID_JWT_SIGNATURE");
  const foreign = await new SignJWT(longer)
    .setProtectedHeader({ alg: "HS256" })
    .sign(new Uint8Array(32));
  expect(await refusal(`Bearer ${foreign}`)).toBe("INVALID_JWT_SIGNATURE");
});

test("alg none is refused", async () => {
  const { clientId } = harness.service.seed;
  const unsecured = new UnsecuredJWT({ client_id: clientId })
    .setIssuer("referral-service/staging")
    .setExpirationTime("1h")
    .encode();
  expect(await refusal(`Bearer ${unsecured}`)).toBe("INVALID_JWT");
});

test("a deleted key's tokens stop working", async () => {
  const { token, client } = await harness.newOrganisation();
  expect((await client.call("GET", "/v1/tests")).status).toBe(200);
  const keys = await harness.console("GET", "/api-keys", undefined, token);
  const [key] = Array.isArray(keys.body) ? keys.body : [];
  await harness.console("DELETE", `/api-keys/${key.client_id}`, undefined, token);
  expect(await client.call("GET", "/v1/tests")).toMatchObject({
    status: 401,
    body: { code: "INVALID_JWT" },
  });
});
