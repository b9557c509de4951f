/** Answers that HTTP and the interface allow, or that something on the way makes of them. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { answer, type Behaviour } from "./testing/start-server.ts";
import { startService } from "./testing/start-service.ts";
import { REFERRAL_UUID, sampleOrder, wireReferral } from "./testing/wire-samples.ts";

const inTime = { deadlineAt: new Date(START.getTime() + 60_000) };
const CREATED = { kind: "created", referrals: [{ uuid: REFERRAL_UUID }] };

async function both(api: Behaviour) {
  const service = await startService(api);
  const created = await service.client.createReferral(sampleOrder(), inTime);
  const read = await service.client.getReferral(REFERRAL_UUID).catch((error: unknown) => error);
  const posts = service.apiRequests().filter(({ method }) => method === "POST");
  return { created, read, posts };
}

const JSON_TEXT = JSON.stringify(wireReferral());
const packed =
  (encoding: string, body: Buffer): Behaviour =>
  (_, response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(body);

test.each<[string, Behaviour]>([
  ["gzip", packed("gzip", gzipSync(JSON_TEXT))],
  ["GZIP in capitals", packed("GZip", gzipSync(JSON_TEXT))],
  ["brotli", packed("br", brotliCompressSync(JSON_TEXT))],
  ["deflate", packed("deflate", deflateSync(JSON_TEXT))],
  ["identity", packed("identity", Buffer.from(JSON_TEXT))],
  ["201", (_, response) => answer(response, 201, wireReferral())],
  ["202 with the referral", (_, response) => answer(response, 202, wireReferral())],
  ["207 with the referral", (_, response) => answer(response, 207, wireReferral())],
  ["a byte order mark", (_, response) => response.writeHead(200).end(`\uFEFF${JSON_TEXT}`)],
  [
    "another type of content",
    (_, response) => response.writeHead(200, { "content-type": "text/plain" }).end(JSON_TEXT),
  ],
  [
    "fields that nobody knows, twenty attachments among them",
    (_, response) =>
      answer(
        response,
        200,
        wireReferral({
          attachments: Array.from({ length: 20 }, () => ({ id: "same" })),
          deleted: false,
          error: false,
          ["__proto__"]: { polluted: true },
        }),
      ),
  ],
])("an answer in %s is read", async (_, api) => {
  const { created, read } = await both(api);
  expect(created).toMatchObject(CREATED);
  expect(read).toMatchObject({ uuid: REFERRAL_UUID });
});

/** A body in pieces whose last one never comes. */
const breaksOff: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write(JSON_TEXT.slice(0, 100), () => response.destroy());
};

/** More than a client holds, in pieces. */
const endless: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const piece = Buffer.alloc(1024 * 1024, " ");
  let left = 100;
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(piece)) return void response.once("drain", write);
    }
    response.end(JSON_TEXT);
  };
  write();
};

test.each<[string, Behaviour, string]>([
  ["a body that breaks off", breaksOff, "connection"],
  ["a hundred megabytes", endless, "connection"],
  ["a packed body that is none", packed("gzip", Buffer.from("{}")), "connection"],
  ["a packed body cut short", packed("gzip", gzipSync(JSON_TEXT).subarray(0, 60)), "connection"],
  ["forty megabytes, packed small", packed("gzip", gzipSync(Buffer.alloc(4e7, " "))), "connection"],
  ["an encoding that nobody knows", packed("zebra", Buffer.from("x")), "contract_mismatch"],
  ["202 without a body", (_, response) => response.writeHead(202).end(), "contract_mismatch"],
  ["207 of many", (_, r) => answer(r, 207, { responses: [wireReferral()] }), "contract_mismatch"],
  [
    "200 with an error's body",
    (_, r) => answer(r, 200, { error: true, code: "INTERNAL", message: "", errorList: [] }),
    "contract_mismatch",
  ],
])("%s leaves an order unclear, and a reading failed", async (_, api, failure) => {
  const { created, read, posts } = await both(api);
  expect(created).toMatchObject({ kind: "unknown" });
  expect(read).toMatchObject({ failure });
  expect(posts).toHaveLength(1);
});
