import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { ReferralServiceError } from "../../platform/errors.ts";
import { answer, type Behaviour } from "./testing/start-server.ts";
import { startService } from "./testing/start-service.ts";
import {
  REFERRAL_UUID,
  RESULT_UUID,
  wireBiomarker,
  wireReferral,
  wireResult,
} from "./testing/wire-samples.ts";

/** The error with which a promise ends. */
async function errorOf(promise: Promise<unknown>): Promise<ReferralServiceError> {
  const error = await promise.then(
    () => new Error("did not fail"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ReferralServiceError)) throw error;
  return error;
}

/** The service at this behaviour, asked for one referral. */
async function failureAt(behaviour: Behaviour, timeouts = {}) {
  const { client } = await startService(behaviour, { client: { timeouts } });
  return errorOf(client.getReferral(REFERRAL_UUID));
}

const inTime = { deadlineAt: new Date(START.getTime() + 60_000) };

test("reads a referral with everything left out that the interface allows, and more than it knows", async () => {
  const { client } = await startService((_, response) =>
    answer(response, 200, {
      uuid: REFERRAL_UUID,
      object: "referral",
      status: "TELEPORTED",
      origin: "MARS",
      createdAt: "2026-11-20T00:00:00Z",
      updatedAt: "2026-11-20T00:00:00Z",
      person: { firstName: "Ada", lastName: "Citizen", address: { addressLine1: "1 High St" } },
      novelty: { deep: [1] },
    }),
  );
  expect(await client.getReferral(REFERRAL_UUID)).toMatchObject({
    status: "TELEPORTED",
    origin: "MARS",
    tests: [],
    metadata: null,
    referralAttachment: null,
    person: { address: { addressLine1: "1 High St", addressLine2: null, country: null } },
  });
});

test("reads a result whose ranges are null, left out or open-ended", async () => {
  const range = { id: "high-risk", name: "High risk", category: "lipid", lowRange: null };
  const { client } = await startService((_, response) =>
    answer(
      response,
      200,
      wireResult({
        reviewedBy: { some: "doctor" },
        biomarkers: [
          wireBiomarker(),
          wireBiomarker({ additionalRanges: null, refIntervalLow: null, value: 4.5 }),
          wireBiomarker({ additionalRanges: [{ ...range, highRange: 2 }] }),
        ],
      }),
    ),
  );
  const result = await client.getResult(RESULT_UUID);
  expect(result?.reviewed).toBe(true);
  expect(result?.biomarkers.map(({ additionalRanges }) => additionalRanges)).toEqual([
    [],
    [],
    [{ ...range, highRange: 2 }],
  ]);
  expect(result?.biomarkers[1]).toMatchObject({ value: "4.5", refIntervalLow: null });
});

test("a biomarker without its abnormal flag is a mismatch, not a normal one", async () => {
  const { client } = await startService((_, response) => {
    const biomarkers = [wireBiomarker({ isAbnormal: undefined, value: "SECRET-VALUE" })];
    answer(response, 200, wireResult({ biomarkers }));
  });
  const error = await errorOf(client.getResult(RESULT_UUID));
  expect(error.failure).toBe("contract_mismatch");
  expect(error.message).toContain("biomarkers.0.isAbnormal");
  expect(error.message).not.toContain("SECRET-VALUE");
});

test.each([
  ...["pending", "", "05/11/2026", "2026-13-40", 20261120],
  ...["0001-01-01T00:00:00Z", "1970-01-01", "1900-01-01"],
])(
  "a result whose date is %j has none: a page would fail on it, or show another day",
  async (resultDate) => {
    const { client } = await startService((_, r) => answer(r, 200, wireResult({ resultDate })));
    expect(await client.getResult(RESULT_UUID)).toMatchObject({ resultDate: null });
  },
);

test.each(["2026-11-20", "2026-11-20T09:30:00+10:00"])(
  "a result of %s has its date",
  async (date) => {
    const { client } = await startService((_, r) =>
      answer(r, 200, wireResult({ resultDate: date })),
    );
    expect(await client.getResult(RESULT_UUID)).toMatchObject({ resultDate: date });
  },
);

test.each(["2026-05-01T15:00:00", "2026-05-01T15:00:00.000", "2026-05-01T23:59"])(
  "reads the day alone of %s, which does not say where its clock stood",
  async (resultDate) => {
    const { client } = await startService((_, r) => answer(r, 200, wireResult({ resultDate })));
    expect(await client.getResult(RESULT_UUID)).toMatchObject({ resultDate: "2026-05-01" });
  },
);

test("an unknown referral or result is null; a 404 of anybody else is an error", async () => {
  const { client } = await startService(({ target }, response) => {
    if (target.endsWith("/nowhere")) return response.writeHead(404).end("<h1>Not found</h1>");
    const code = target.includes("results") ? "RESULT_NOT_FOUND" : "REFERRAL_NOT_FOUND";
    return answer(response, 404, { error: true, code, message: "", errorList: [] });
  });
  expect(await client.getReferral(REFERRAL_UUID)).toBeNull();
  expect(await client.getResult(RESULT_UUID)).toBeNull();
  expect((await errorOf(client.getReferral("nowhere"))).failure).toBe("contract_mismatch");
});

test.each<[string, string, boolean, Behaviour]>([
  ["400", "rejected", false, (_, r) => answer(r, 400, { code: "INVALID_PARAMETER" })],
  ["401 twice", "unauthorized", false, (_, r) => answer(r, 401, { code: "INVALID_JWT" })],
  ["403", "unauthorized", false, (_, r) => answer(r, 403, {})],
  ["403 as HTML", "contract_mismatch", false, (_, r) => r.writeHead(403).end("<h1>Blocked</h1>")],
  ["404", "not_found", false, (_, r) => answer(r, 404, { code: "NOT_FOUND" })],
  [
    "404 without a code",
    "not_found",
    false,
    (_, r) => answer(r, 404, { error: true, message: "" }),
  ],
  [
    "404 of a gateway",
    "contract_mismatch",
    false,
    (_, r) => answer(r, 404, { message: "no route" }),
  ],
  ["its number", "contract_mismatch", false, (_, r) => answer(r, 404, { error: "-", code: 404 })],
  ["421", "contract_mismatch", false, (_, r) => r.writeHead(421).end()],
  ["408", "timeout", true, (_, r) => answer(r, 408, {})],
  ["429", "rate_limited", true, (_, r) => answer(r, 429, {})],
  ["500 without a body", "server", true, (_, r) => r.writeHead(500).end()],
  ["a redirect", "contract_mismatch", false, (_, r) => r.writeHead(302, { location: "/x" }).end()],
  ["HTML", "contract_mismatch", false, (_, r) => r.writeHead(200).end("<h1>Welcome</h1>")],
  ["a reset", "connection", true, (_, r) => r.destroy()],
])("%s is %s", async (_, failure, retryable, behaviour) => {
  expect(await failureAt(behaviour)).toMatchObject({ failure, retryable });
});

test("silence is a timeout", async () => {
  const error = await failureAt(() => {}, { otherMs: 100 });
  expect(error).toMatchObject({ failure: "timeout", retryable: true });
});

test("carries the service's code, list and Retry-After", async () => {
  const body = { error: true, code: "INVALID_PARAMETER", message: "no", errorList: ["uuid"] };
  const error = await failureAt((_, r) => answer(r, 429, body, { "retry-after": "7" }));
  expect(error).toMatchObject({
    status: 429,
    serviceCode: "INVALID_PARAMETER",
    errorList: ["uuid"],
    retryAfterMs: 7000,
  });
});

test("neither token, secret nor body shows in an error", async () => {
  const behaviours: Behaviour[] = [
    (_, r) => answer(r, 401, { code: "INVALID_JWT", message: "access-1 ada@example.com" }),
    (_, r) => answer(r, 400, { code: "access-1 ada@example.com" }),
    (_, r) => r.writeHead(200).end("access-1 ada@example.com"),
    (_, r) => answer(r, 200, wireReferral({ person: { firstName: ["ada@example.com"] } })),
    (_, r) => r.destroy(),
  ];
  for (const behaviour of behaviours) {
    const error = await failureAt(behaviour);
    const chain: unknown[] = [];
    for (let at: unknown = error; at instanceof Error; at = at.cause)
      chain.push(at.message, at.stack);
    expect(chain.join("\n")).not.toMatch(/access-\d|refresh-\d|s3cret|ada@example|Basic /);
  }
});

test("a wrong uuid cannot change the path", async () => {
  const { client, apiRequests } = await startService((_, r) => answer(r, 200, wireReferral()));
  await errorOf(client.getReferral("../oauth/token?x="));
  expect(apiRequests()[0]?.target).toBe("/v1/referrals/..%2Foauth%2Ftoken%3Fx%3D");
});

test("keeps a path in the base address", async () => {
  const service = await startService((_, r) => answer(r, 200, []));
  const under = await startService((_, r) => answer(r, 200, []), {
    client: { baseUrl: `${service.server.url}/api/` },
  });
  await under.client.listTests();
  expect(service.apiRequests()[0]?.target).toBe("/api/v1/tests");
});

test("PATCH sends the change and DELETE nothing", async () => {
  const { client, apiRequests } = await startService((_, r) => answer(r, 200, wireReferral()));
  await client.updateReferral(REFERRAL_UUID, { phone: "0400 000 001", metadata: { old: null } });
  await client.deleteReferral(REFERRAL_UUID, inTime);
  expect(apiRequests()).toMatchObject([
    { method: "PATCH", target: `/v1/referrals/${REFERRAL_UUID}` },
    { method: "DELETE", target: `/v1/referrals/${REFERRAL_UUID}`, body: "" },
  ]);
  expect(JSON.parse(apiRequests()[0]?.body ?? "")).toEqual({
    phone: "0400 000 001",
    metadata: { old: null },
  });
});

test("tests come with cents and turnaround, bundles from all pages", async () => {
  const bundles = Array.from({ length: 21 }, (_, n) => ({ id: `b${n}`, name: `B${n}`, tests: [] }));
  const { client } = await startService(({ target }, response) => {
    const days = { minimumDays: 1, maximumDays: null, object: "turnaroundTime" };
    const testOnWire = { id: "fbc", name: "Full blood count", price: 1250, object: "test" };
    if (target === "/v1/tests") {
      return answer(response, 200, [{ ...testOnWire, turnAroundTimeAverage: days }, testOnWire]);
    }
    const isFirst = !target.includes("cursor=");
    const page = isFirst ? bundles.slice(0, 20) : bundles.slice(20);
    const cursor = { cursor: "two", count: 20, resultCount: page.length };
    return answer(response, 200, { cursor, bundles: page });
  });
  expect((await client.listTests()).entries).toMatchObject([
    { priceCents: 1250, turnaround: { minimumDays: 1, maximumDays: null } },
    { shortName: "Full blood count", turnaround: null },
  ]);
  expect((await client.listBundles()).entries.map(({ id }) => id)).toEqual(
    bundles.map(({ id }) => id),
  );
});

test("an answer about another referral or result than the one asked for is a mismatch", async () => {
  const service = await startService(({ target }, response) =>
    answer(response, 200, target.includes("/results/") ? wireResult() : wireReferral()),
  );
  const { client } = service;
  const asked = "11111111-1111-4111-8111-111111111111";
  for (const call of [
    client.getReferral(asked),
    client.getResult(asked),
    client.deleteReferral(asked, inTime),
    client.updateReferral(asked, { phone: "0400000001" }),
  ])
    await expect(call).rejects.toMatchObject({ failure: "contract_mismatch" });
  expect(await client.getReferral(REFERRAL_UUID.toUpperCase())).toMatchObject({
    uuid: REFERRAL_UUID,
  });
});
