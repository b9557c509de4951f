import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PAGE_OF_LIST, startS3 } from "../../../test/database/s3-server.ts";
import { shopDomain } from "../../modules/kernel/ids.ts";
import type { DocumentBody, StoredObject } from "../../modules/referrals/document.ts";
import { documentStoreFailures } from "../../platform/counters.ts";
import { createLogger, describeError } from "../../platform/logger.ts";
import { createDocumentBodies } from "./document-bodies.ts";
import { createFileStore } from "./file-store.ts";
import { openDocumentBodies } from "./open-document-bodies.ts";
import { createS3Store } from "./s3-store.ts";

const folder = await mkdtemp(join(tmpdir(), "pathway-documents-"));
const s3 = await startS3();
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});
const stores = { files: createFileStore(folder), s3: createS3Store(s3.settings) };
const shop = shopDomain("one.myshopify.com") ?? fail();
const other = shopDomain("two.myshopify.com") ?? fail();
const logger = createLogger("silent");
const PDF = Buffer.from("%PDF-1.7 Ferritin of Ngaire Citizen");
const isUsed = async () => false;
const databaseId = async () => "10000000-0000-4000-8000-000000000000";
const WHOLE = { from: "00000000-0000-0000-0000-000000000000", until: null };

function fail(): never {
  throw new Error("no shop");
}
const countOf = (operation: string) =>
  documentStoreFailures
    .values()
    .filter(({ labels }) => labels.operation === operation)
    .reduce((sum, { value }) => sum + value, 0);
function outside(body: DocumentBody): StoredObject {
  if (Buffer.isBuffer(body)) throw new Error("it lies in the database");
  return body;
}
async function listed(of = shop, range: { from: string; until: string | null } = WHOLE) {
  const names: string[] = [];
  for await (const { object } of createDocumentBodies({
    target: null,
    stores,
    databaseId,
    isUsed,
    logger,
  }).list(of, range))
    names.push(object);
  return names;
}

describe.each(["files", "s3"] as const)("%s", (target) => {
  const bodies = createDocumentBodies({
    target,
    stores: { [target]: stores[target] },
    databaseId,
    isUsed,
    logger,
  });

  test("gives a PDF back, and holds nothing of it in clear", async () => {
    const body = outside(await bodies.place(shop, PDF));
    expect(await bodies.read(shop, body)).toEqual(PDF);
    const bytes = await stores[target].get(shop, body.object);
    expect(bytes?.length).toBeGreaterThan(PDF.length);
    expect(String(bytes)).not.toContain("Ferritin");
    await bodies.delete(shop, body);
    await bodies.delete(shop, body);
    await expect(bodies.read(shop, body)).rejects.toMatchObject({ code: "document_store_missing" });
  });

  test("opens no object by another's key, under another name, or for another shop", async () => {
    const [one, two] = [
      outside(await bodies.place(shop, PDF)),
      outside(await bodies.place(shop, Buffer.from("%PDF-1.7 two"))),
    ];
    await expect(bodies.read(shop, { ...one, key: two.key })).rejects.toThrow();
    await expect(bodies.read(shop, { ...one, object: two.object })).rejects.toThrow();
    const stolen = await stores[target].get(shop, one.object);
    await stores[target].put(other, one.object, stolen ?? fail());
    await expect(bodies.read(other, one)).rejects.toThrow();
    await stores[target].delete(other, one.object);
    for (const body of [one, two]) await bodies.delete(shop, body);
  });

  test("lists what a shop has by name, from one name to before another", async () => {
    const names: string[] = [];
    for (let n = 0; n < 5; n++) names.push(outside(await bodies.place(shop, PDF)).object);
    names.sort();
    const [first = "", , third = "", , last = ""] = names;
    expect(await listed()).toEqual(names);
    expect(await listed(shop, { from: first, until: third })).toEqual(names.slice(0, 2));
    expect(await listed(shop, { from: third, until: null })).toEqual(names.slice(2));
    expect(await listed(other)).toEqual([]);
    for (const object of names) await bodies.delete(shop, { store: target, object });
    expect(await listed(shop, { from: first, until: last })).toEqual([]);
  });
});

test("a list of more than one page is read to its end", async () => {
  const names = Array.from(
    { length: PAGE_OF_LIST * 2 + 5 },
    (_, n) => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
  );
  for (const name of names) await stores.s3.put(other, name, Buffer.from("x"));
  expect(await listed(other)).toEqual(names);
});

test("a store that refuses, or is away, is told by a code, without its address or credentials", async () => {
  const bodies = createDocumentBodies({ target: "s3", stores, databaseId, isUsed, logger });
  for (const [status, code, told] of [
    [403, "InvalidAccessKeyId", "document_store_refused"],
    [404, "NoSuchBucket", "document_store_refused"],
    [503, "SlowDown", "document_store_unreachable"],
  ] as const) {
    s3.refuse(status, code);
    const error = await bodies.place(shop, PDF).then(fail, (reason: Error) => reason);
    expect(error).toMatchObject({ code: told, retryable: true });
    expect(`${error.message} ${error.cause}`).toContain(code);
    // No message of an error comes into the log.
    expect(describeError(error)).toMatchObject({ cause: { code } });
    expect(`${error.message} ${error.cause}`).not.toMatch(/secret|S3RVER|127\.0/);
  }
  // A bucket that is not there is no document that is not there.
  s3.refuse(404, "NoSuchBucket");
  const body = { store: "s3", object: WHOLE.from, key: Buffer.alloc(32) } as const;
  await expect(bodies.read(shop, body)).rejects.toMatchObject({ code: "document_store_refused" });
  const before = countOf("list");
  await expect(listed()).rejects.toMatchObject({ code: "document_store_refused" });
  expect(countOf("list")).toBe(before + 1);
  s3.answer();
  const away = createS3Store({ ...s3.settings, endpoint: "http://127.0.0.1:9" });
  const gone = createDocumentBodies({
    target: "s3",
    stores: { s3: away },
    databaseId,
    isUsed,
    logger,
  });
  await expect(gone.place(shop, PDF)).rejects.toMatchObject({ code: "document_store_unreachable" });
});

test.each([
  ["a page of a proxy", "<html><title>Sign in</title></html>"],
  ["nothing at all", ""],
  ["a list that breaks off", "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>x"],
])("%s in the place of an answer is no empty list and no stored object", async (_, body) => {
  const bodies = createDocumentBodies({ target: "s3", stores, databaseId, isUsed, logger });
  await stores.s3.delete("owner", "database");
  s3.standIn(body);
  await expect(listed()).rejects.toMatchObject({ code: "document_store_refused" });
  // Nor does it tell whose the store is.
  await expect(bodies.mayChange(shop, "s3")).rejects.toMatchObject({
    code: "document_store_refused",
  });
  s3.standIn(body, ["PUT"]);
  await expect(bodies.place(shop, PDF)).rejects.toMatchObject({ code: "document_store_refused" });
  s3.answer();
  const stored = outside(await bodies.place(shop, PDF));
  s3.standIn(body, ["GET"]);
  await expect(bodies.read(shop, stored)).rejects.toMatchObject({
    code: "document_store_unreadable",
  });
  s3.answer();
  expect(await bodies.read(shop, stored)).toEqual(PDF);
  await bodies.delete(shop, stored);
});

test("what a store does not have is deleted, also where the store says so with a 404", async () => {
  const bodies = createDocumentBodies({ target: "s3", stores, databaseId, isUsed, logger });
  const body = outside(await bodies.place(shop, PDF));
  await bodies.delete(shop, body);
  s3.refuse(404, "NoSuchKey");
  await stores.s3.delete(shop, body.object);
  s3.refuse(404, "NoSuchBucket");
  await expect(stores.s3.delete(shop, body.object)).rejects.toMatchObject({
    code: "document_store_refused",
  });
  s3.answer();
});

test("signs each request as AWS's own signer does", async () => {
  s3.refused.length = 0;
  const wrong = createS3Store({ ...s3.settings, secretAccessKey: "another" });
  await expect(wrong.get(shop, WHOLE.from)).rejects.toMatchObject({
    code: "document_store_refused",
  });
  expect(s3.refused).toEqual(["SignatureDoesNotMatch"]);
});

test("a file that was never finished is no document, and is listed to be swept", async () => {
  const object = outside(
    await createDocumentBodies({ target: "files", stores, databaseId, isUsed, logger }).place(
      shop,
      PDF,
    ),
  ).object;
  const shard = join(folder, shop, object.slice(0, 2));
  await writeFile(join(shard, `${object}.x.part`), "half");
  expect(await readdir(shard)).toHaveLength(2);
  const names = await listed();
  expect(names).toEqual([object, `${object}.x.part`]);
  for (const name of names) await stores.files.delete(shop, name);
  expect(await readdir(shard)).toEqual([]);
});

test("a document in a store that is not set up any more says so", async () => {
  const bodies = createDocumentBodies({ target: null, stores: {}, databaseId, isUsed, logger });
  const body = { store: "s3", object: WHOLE.from, key: Buffer.alloc(32) } as const;
  await expect(bodies.read(shop, body)).rejects.toMatchObject({
    code: "document_store_not_set_up",
  });
});

test("the settings choose the store; one that is half set up is told before anything starts", async () => {
  const env = {
    ...{ PATHWAY_DATA_DIR: folder, PATHWAY_DOCUMENTS_DIR: undefined },
    ...{ PATHWAY_S3_ENDPOINT: undefined, PATHWAY_S3_REGION: "ap-southeast-2" },
    ...{ PATHWAY_S3_BUCKET: undefined, PATHWAY_S3_ACCESS_KEY_ID: undefined },
    PATHWAY_S3_SECRET_ACCESS_KEY: undefined,
  };
  expect(() =>
    openDocumentBodies({ ...env, PATHWAY_DOCUMENTS: "s3" }, { databaseId, isUsed, logger }),
  ).toThrow(/PATHWAY_S3_ENDPOINT, PATHWAY_S3_BUCKET/);
  expect(
    openDocumentBodies({ ...env, PATHWAY_DOCUMENTS: "database" }, { databaseId, isUsed, logger })
      .target,
  ).toBeNull();
  const files = openDocumentBodies(
    { ...env, PATHWAY_DOCUMENTS: "files" },
    { databaseId, isUsed, logger },
  );
  const { object } = outside(await files.place(shop, PDF));
  const path = join(folder, "documents", shop, object.slice(0, 2), object);
  expect(String(await readFile(path))).not.toContain("Ferritin");
});
