import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Harness, issuedReferral, send, startHarness } from "../testing/harness.ts";
import { referral } from "../wire/referral-wire.ts";
import { operations } from "./document.ts";
import type { Operation } from "./operation.ts";

let harness: Harness;
let uuids: string[];
beforeAll(async () => {
  harness = await startHarness();
  const { uuid } = await issuedReferral(harness);
  const { body } = await harness.call("PUT", `/v1/referrals/${uuid}`);
  uuids = [uuid, referral.parse(body).resultsUuid ?? "", randomUUID(), "nonsense"];
});
afterAll(() => harness.stop());

const described = z.object({
  openapi: z.literal("3.1.0"),
  servers: z.array(z.object({ url: z.url() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

async function document() {
  return described.parse((await send(`${harness.baseUrl}/openapi.json`, {})).body);
}

describe("the document", () => {
  test("names every operation of the interface and where it is served", async () => {
    const { paths, servers } = await document();
    expect(servers[0]?.url).toBe(harness.baseUrl);
    for (const [path, methods] of Object.entries({
      "/oauth/token": ["post"],
      "/v1/referrals": ["get", "post"],
      "/v1/referrals/{uuid}": ["delete", "get", "patch", "put"],
      "/v1/results": ["get"],
      "/v1/results/{uuid}": ["get"],
      "/v1/tests": ["get"],
      "/v1/bundles": ["get"],
    })) {
      expect(Object.keys(paths[path] ?? {}).sort()).toEqual(methods);
    }
  });

  test("every reference in it leads somewhere", async () => {
    const whole = await document();
    const text = JSON.stringify((await send(`${harness.baseUrl}/openapi.json`, {})).body);
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(Object.keys(whole.components.schemas)).toContain(name);
    }
    expect(text).not.toContain("$defs");
  });

  test("every described operation is served, and no other one of the API", async () => {
    for (const { method, path } of operations) {
      const url = harness.baseUrl + path.replaceAll(/\{\w+\}/g, "x");
      const reply = await send(url, { method });
      expect([405], `${method} ${path}`).not.toContain(reply.status);
      expect(reply.body, `${method} ${path}`).not.toMatchObject({ message: "No such address" });
    }
    for (const path of new Set(operations.map((operation) => operation.path))) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
        if (operations.some((entry) => entry.path === path && entry.method === method)) continue;
        const reply = await send(harness.baseUrl + path.replaceAll(/\{\w+\}/g, "x"), { method });
        expect([404, 405], `${method} ${path}`).toContain(reply.status);
      }
    }
  });

  test("llms.txt describes the same operations", async () => {
    const { body } = await send(`${harness.baseUrl}/llms.txt`, {});
    for (const { tag, method, path } of operations) {
      if (tag !== "Web application") expect(body).toContain(`${method} ${path}`);
    }
  });
});

/** Values that are near to right, and values that are not. */
const words = fc.constantFrom(
  "male",
  "2020-01-01",
  "a@b.example",
  "full-blood-count",
  "21234567011",
  "2426621B",
  "COMPLETE",
  "http://127.0.0.1:1/",
  "",
  "\u0000",
);
const value = fc.oneof(
  words,
  fc.string({ maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(words, { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(words, fc.integer()), { maxKeys: 3 }),
);

function fieldNames(operation: Operation): string[] {
  const schema = operation.request?.schema;
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : ["grant_type", "client_id"];
}

function requestOf(operation: Operation) {
  const names = fieldNames(operation);
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  return fc.record({
    body: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record(Object.fromEntries(names.map((name) => [name, value])), {
          requiredKeys: [],
        }),
      },
      { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
      { weight: 1, arbitrary: fc.string() },
    ),
    path: fc.nat({ max: 3 }),
    query: fc.record(
      Object.fromEntries(
        query.map(({ name }) => [name, fc.oneof(fc.string(), fc.integer().map(String))]),
      ),
      { requiredKeys: [] },
    ),
    accept: fc.constantFrom(
      "application/vnd.service.v1.1.0+json",
      "*/*",
      "application/json",
      ";;q=x,",
    ),
  });
}

/** Left out: they would delete the account in use, or slow down and fail the rest on request. */
const unsafe = new Set(["deleteAccount", "setFaults", "advanceClock"]);

describe("every operation, fuzzed", () => {
  test.each(
    operations.filter(({ id }) => !unsafe.has(id)).map((entry) => [entry.id, entry] as const),
  )("%s answers as described and never above 499", async (_id, operation) => {
    const { paths } = await document();
    const token =
      operation.security === "accountToken"
        ? harness.service.seed.consoleToken
        : harness.accessToken;
    const allowed = paths[operation.path]?.[operation.method.toLowerCase()]?.responses ?? {};
    const property = fc.asyncProperty(requestOf(operation), async (request) => {
      const path = operation.path.replaceAll(/\{\w+\}/g, uuids[request.path] ?? "x");
      const query = new URLSearchParams();
      for (const [name, text] of Object.entries(request.query)) query.set(name, text ?? "");
      const isForm = operation.request?.contentType !== "application/json";
      const text = typeof request.body === "string" ? request.body : JSON.stringify(request.body);
      const reply = await send(`${harness.baseUrl}${path}?${query}`, {
        method: operation.method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: request.accept,
          "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
        },
        ...(operation.request && { body: text }),
      });
      expect(reply.status).toBeLessThan(500);
      expect(Object.keys(allowed)).toContain(String(reply.status));
      const { schema } = operation.response;
      if (reply.status === 200 && schema) schema.parse(reply.body);
      if (reply.status !== 200) expect(reply.body).toMatchObject({ error: true });
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
