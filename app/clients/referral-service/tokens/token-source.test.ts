import { expect, test } from "vitest";
import { movableClock } from "../../../../test/database/clock.ts";
import { sharedConnections } from "../http/transport.ts";
import { answer, type Behaviour, startServer } from "../testing/start-server.ts";
import { memoryLock, memoryStore } from "../testing/start-service.ts";
import { createTokenSource, type TokenSourceOptions } from "./token-source.ts";

type Form = Record<string, string | undefined>;

/** A token service that gives numbered tokens, or behaves as told for this form. */
async function startTokens(
  settings: {
    lifetimeSeconds?: number;
    refuse?: (form: Form, response: Parameters<Behaviour>[1]) => boolean;
    options?: Partial<TokenSourceOptions>;
  } = {},
) {
  const clock = movableClock();
  const store = memoryStore();
  const lock = memoryLock();
  const grants: Form[] = [];
  const server = await startServer((received, response) => {
    const form: Form = Object.fromEntries(new URLSearchParams(received.body));
    grants.push(form);
    if (settings.refuse?.(form, response)) return;
    answer(response, 200, {
      access_token: `access-${grants.length}`,
      refresh_token: `refresh-${grants.length}`,
      token_type: "Bearer",
      expires_in: settings.lifetimeSeconds ?? 3600,
      refresh_expires_in: 2592000,
    });
  });
  const open = (options: Partial<TokenSourceOptions> = {}) =>
    createTokenSource({
      authUrl: server.url,
      credentials: { clientId: "client", clientSecret: "s3cret" },
      transport: sharedConnections(),
      ...{ clock, store, lock },
      ...settings.options,
      ...options,
    });
  return { open, clock, store, grants, server };
}

const types = (grants: Form[]) => grants.map(({ grant_type }) => grant_type);

test("asks with client credentials in a Basic header, as a form", async () => {
  const { open, server } = await startTokens();
  expect(await open().token()).toBe("access-1");
  expect(server.requests[0]).toMatchObject({
    method: "POST",
    target: "/oauth/token",
    body: "grant_type=client_credentials",
  });
  expect(server.requests[0]?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from("client:s3cret").toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  });
});

test("puts the credentials into the body when a header is refused, and never otherwise", async () => {
  const { open, server } = await startTokens({
    refuse(form, response) {
      if (form.client_id) return false;
      answer(response, 401, { error: true, code: "118", type: "AuthorizationHeaderInvalid" });
      return true;
    },
  });
  expect(await open().token()).toBe("access-2");
  expect(server.requests[1]?.headers.authorization).toBeUndefined();
  expect(server.requests[1]?.body).toBe(
    "grant_type=client_credentials&client_id=client&client_secret=s3cret",
  );
  const away = await startTokens({
    refuse(_, response) {
      answer(response, 503, {});
      return true;
    },
  });
  await expect(away.open().token()).rejects.toMatchObject({ failure: "server" });
  expect(away.grants).toHaveLength(1);
});

test.each([
  ["no body", 400, undefined],
  ["a page", 403, "<html>Forbidden</html>"],
])("a header refused with %s has the credentials go into the body", async (_, status, body) => {
  const { open, grants } = await startTokens({
    refuse(form, response) {
      if (form.client_id) return false;
      answer(response, status, body);
      return true;
    },
  });
  expect(await open().token()).toBe("access-2");
  expect(grants).toHaveLength(2);
});

test("keeps a token until a minute before it ends, then refreshes it", async () => {
  const { open, clock, grants } = await startTokens();
  const tokens = open();
  await tokens.token();
  clock.advance(3539_000);
  expect(await tokens.token()).toBe("access-1");
  clock.advance(1_000);
  expect(await tokens.token()).toBe("access-2");
  expect(grants[1]).toEqual({ grant_type: "refresh_token", refresh_token: "refresh-1" });
});

test("a lifetime shorter than the margin does not mean a renewal per call", async () => {
  const { open, clock, grants } = await startTokens({ lifetimeSeconds: 30 });
  const tokens = open();
  for (let call = 0; call < 3; call += 1) await tokens.token();
  expect(grants).toHaveLength(1);
  clock.advance(15_000);
  await tokens.token();
  expect(grants).toHaveLength(2);
});

test("many callers of one process share one renewal", async () => {
  const { open, grants } = await startTokens();
  const tokens = open();
  const given = await Promise.all(Array.from({ length: 20 }, () => tokens.token()));
  expect(new Set(given)).toEqual(new Set(["access-1"]));
  const renewed = await Promise.all(Array.from({ length: 20 }, () => tokens.renew("access-1")));
  expect(new Set(renewed)).toEqual(new Set(["access-2"]));
  expect(grants).toHaveLength(2);
});

test("many processes renew once between them", async () => {
  const { open, clock, grants } = await startTokens();
  const processes = Array.from({ length: 5 }, () => open());
  await Promise.all(processes.map((tokens) => tokens.token()));
  clock.advance(3600_000);
  const given = await Promise.all(processes.map((tokens) => tokens.token()));
  expect(new Set(given)).toEqual(new Set(["access-2"]));
  const renewed = await Promise.all(processes.map((tokens) => tokens.renew("access-2")));
  expect(new Set(renewed)).toEqual(new Set(["access-3"]));
  expect(types(grants)).toEqual(["client_credentials", "refresh_token", "client_credentials"]);
});

test("asks with the credentials when a refreshed token is refused too", async () => {
  const { open, clock, grants } = await startTokens();
  const tokens = open();
  await tokens.token();
  clock.advance(3600_000);
  const refreshed = await tokens.token();
  // The service may have ended what the refresh token belongs to: its next token would be refused like this one.
  expect(await tokens.renew(refreshed)).toBe("access-3");
  expect(types(grants)).toEqual(["client_credentials", "refresh_token", "client_credentials"]);
});

test("a refused token is not handed out again, not even from the store", async () => {
  const { open, grants } = await startTokens();
  await open().token();
  const another = open();
  expect(await another.renew("access-1")).toBe("access-2");
  expect(await another.token()).toBe("access-2");
  expect(grants).toHaveLength(2);
});

test("callers who come during a renewal wait for the new token", async () => {
  const { open } = await startTokens();
  const tokens = open();
  await tokens.token();
  const [, meanwhile] = await Promise.all([tokens.renew("access-1"), tokens.token()]);
  expect(meanwhile).toBe("access-2");
});

test.each([200, 400, 401, 500])(
  "an invalid refresh token (108 at %i) leads to client credentials",
  async (status) => {
    const { open, clock, grants } = await startTokens({
      refuse: (form, response) => {
        if (form.grant_type !== "refresh_token") return false;
        const body = { error: true, code: "108", type: "RefreshTokenInvalid", message: "" };
        answer(response, status, body);
        return true;
      },
    });
    const tokens = open();
    await tokens.token();
    clock.advance(3600_000);
    expect(await tokens.token()).toBe("access-3");
    expect(types(grants)).toEqual(["client_credentials", "refresh_token", "client_credentials"]);
  },
);

test("a token service that cannot be reached is asked for nothing else", async () => {
  const { open, clock, grants } = await startTokens({
    refuse: (form, response) => {
      if (form.grant_type === "refresh_token") response.destroy();
      return form.grant_type === "refresh_token";
    },
  });
  const tokens = open();
  await tokens.token();
  clock.advance(3600_000);
  await expect(tokens.token()).rejects.toMatchObject({ failure: "connection" });
  // Twice the same: the first may have met a connection that was closed meanwhile.
  expect(types(grants)).toEqual(["client_credentials", "refresh_token", "refresh_token"]);
});

test("an expired refresh token is not even tried", async () => {
  const { open, clock, grants } = await startTokens();
  const tokens = open();
  await tokens.token();
  clock.advance(2592000_000);
  await tokens.token();
  expect(types(grants)).toEqual(["client_credentials", "client_credentials"]);
});

test("tokens of other credentials are neither used nor refreshed", async () => {
  const { open, grants } = await startTokens();
  await open().token();
  const replaced = open({ credentials: { clientId: "new", clientSecret: "n3w" } });
  expect(await replaced.token()).toBe("access-2");
  expect(types(grants)).toEqual(["client_credentials", "client_credentials"]);
});

test("a failed renewal is not remembered", async () => {
  let isDown = true;
  const { open } = await startTokens({
    refuse: (_, response) => {
      if (isDown) response.destroy();
      return isDown;
    },
  });
  const tokens = open();
  await expect(tokens.token()).rejects.toMatchObject({ failure: "connection", retryable: true });
  isDown = false;
  expect(await tokens.token()).toMatch(/^access-/);
});

test.each<[string, number, unknown, string, string | null]>([
  ["110 at 200", 200, { error: true, code: "110" }, "unauthorized", "110"],
  ["a number as code at 500", 500, { error: true, code: 123 }, "unauthorized", "123"],
  ["401 without a body", 401, null, "unauthorized", null],
  ["400 without a code", 400, {}, "unauthorized", null],
  ["404 without a code", 404, { message: "no Route matched" }, "contract_mismatch", null],
  ["403 with something that is no answer", 403, "Blocked", "contract_mismatch", null],
  ["503 without a code", 503, {}, "server", null],
  ["429", 429, {}, "rate_limited", null],
  ["200 without a token", 200, {}, "contract_mismatch", null],
  [
    "a token with a line break",
    200,
    { access_token: "a\nb", expires_in: 1 },
    "contract_mismatch",
    null,
  ],
])("%s is told apart", async (_, status, body, failure, serviceCode) => {
  const { open } = await startTokens({
    refuse: (_form, response) => {
      answer(response, status, body);
      return true;
    },
  });
  await expect(open().token()).rejects.toMatchObject({ failure, serviceCode });
});

test("no secret shows in an error", async () => {
  const { open } = await startTokens({
    refuse: (_, response) => {
      const basic = Buffer.from("client:s3cret").toString("base64");
      answer(response, 400, { error: true, code: "s3cret", message: `s3cret ${basic}` });
      return true;
    },
  });
  const error: unknown = await open()
    .token()
    .catch((reason: unknown) => reason);
  expect(JSON.stringify(error) + String(error)).not.toMatch(/s3cret|Y2xpZW50/);
});
