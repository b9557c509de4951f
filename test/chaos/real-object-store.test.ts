/**
 * Documents in Ceph, through its gateway for S3: an object store that people run, which checks signatures, clocks, hashes and names by
 * itself. Without it, the file says that it is left out.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createS3Store } from "../../app/clients/documents/s3-store.ts";
import { type Ceph, hasCeph, startCeph } from "../database/ceph.ts";
import { fetchDocument, textOfPdf } from "../flows/customer-documents.ts";
import { goShopping, only, type Shopper } from "../flows/shopping.ts";
import { eventually, QUICK_WORLD, startWorld, type TestWorld } from "../harness/index.ts";

const PATIENCE = { timeoutMs: 120_000 };
const WHOLE = { from: "00000000-0000-0000-0000-000000000000", until: null };
/** As many names as S3 gives in one page. */
const PAGE = 1000;

// Other drills run beside it.
describe.skipIf(!hasCeph)("in Ceph", { timeout: 600_000 }, () => {
  let ceph: Ceph;
  beforeAll(async () => {
    ceph = await startCeph();
  });
  afterAll(() => ceph?.stop(), 60_000);

  async function namesIn(folder: string, range: { from: string; until: string | null } = WHOLE) {
    const names: string[] = [];
    for await (const { name } of createS3Store(ceph.settings).list(folder, range)) names.push(name);
    return names;
  }
  const nameOf = (n: number) => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

  test("an object is as it was put, is replaced, and is gone once it was deleted", async () => {
    const store = createS3Store(ceph.settings);
    const [folder, name] = ["one.myshopify.com", nameOf(1)];
    expect(await store.get(folder, name)).toBeNull();
    for (const bytes of [Buffer.from([0, 255, 13, 10, 0]), Buffer.alloc(9 * 1024 ** 2, 7)]) {
      await store.put(folder, name, bytes);
      expect((await store.get(folder, name))?.equals(bytes)).toBe(true);
    }
    expect(await store.get("two.myshopify.com", name)).toBeNull();
    await store.delete(folder, name);
    await store.delete(folder, name);
    expect(await store.get(folder, name)).toBeNull();
    expect(await namesIn(folder)).toEqual([]);
  });

  test("a list of more than one page is read to its end, from one name to before another", async () => {
    const store = createS3Store(ceph.settings);
    const folder = "many.myshopify.com";
    const names = Array.from({ length: PAGE + 5 }, (_, n) => nameOf(n));
    for (const some of Map.groupBy(names.entries(), ([n]) => n % 20).values())
      await Promise.all(some.map(([, name]) => store.put(folder, name, Buffer.from("x"))));
    await store.put("many.myshopify.community", nameOf(1), Buffer.from("another shop’s"));
    expect(await namesIn(folder)).toEqual(names);
    const range = { from: nameOf(10), until: nameOf(PAGE + 2) };
    expect(await namesIn(folder, range)).toEqual(names.slice(10, PAGE + 2));
  });

  test.each([
    ["another secret", { secretAccessKey: "another" }, "SignatureDoesNotMatch"],
    ["a key that nobody has", { accessKeyId: "NOBODY" }, "InvalidAccessKeyId"],
    ["a bucket that is not there", { bucket: "elsewhere" }, "NoSuchBucket"],
  ])("%s is a refusal, and no missing document", async (_, odd, code) => {
    const store = createS3Store({ ...ceph.settings, ...odd });
    const [folder, name] = ["one.myshopify.com", nameOf(1)];
    for (const ask of [
      () => store.put(folder, name, Buffer.from("x")),
      () => store.get(folder, name),
      () => store.delete(folder, name),
      () => store.list(folder, WHOLE)[Symbol.asyncIterator]().next(),
    ])
      await expect(ask()).rejects.toMatchObject({
        ...{ code: "document_store_refused", cause: { code } },
      });
  });

  test("a clock that is an hour wrong is told by the store’s own code", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    try {
      await expect(
        createS3Store(ceph.settings).get("one.myshopify.com", nameOf(1)),
      ).rejects.toMatchObject({ cause: { code: "RequestTimeTooSkewed" } });
    } finally {
      vi.useRealTimers();
    }
  });

  describe("orders", () => {
    let world: TestWorld;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "pathway-ceph-world-"));
      await writeFile(join(folder, "choice"), "s3");
      const { endpoint, bucket, region, accessKeyId, secretAccessKey } = ceph.settings;
      world = await startWorld({
        ...QUICK_WORLD,
        env: {
          ...QUICK_WORLD.env,
          PATHWAY_MAINTENANCE_INTERVAL_MS: "2000",
          PATHWAY_DOCUMENTS_FILE: join(folder, "choice"),
          PATHWAY_S3_ENDPOINT: endpoint,
          PATHWAY_S3_BUCKET: bucket,
          PATHWAY_S3_REGION: region,
          PATHWAY_S3_ACCESS_KEY_ID: accessKeyId,
          PATHWAY_S3_SECRET_ACCESS_KEY: secretAccessKey,
        },
      });
    });
    afterAll(async () => {
      await world?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test("forms lie there sealed, open for their owner after the gateway died, and go with their patient and their shop", async () => {
      const shopping = goShopping(world);
      async function buy(lastName: string) {
        const buyer = await shopping.newShopper();
        const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
        const asked = await shopping.requestsWhen(order, 1, () => {}, PATIENCE.timeoutMs);
        await eventually(
          () => shopping.giveDetails(buyer, asked, { ...shopping.patient(), lastName }),
          PATIENCE,
        );
        return { buyer, order, lastName };
      }
      async function opens({ buyer, lastName }: { buyer: Shopper; lastName: string }) {
        await eventually(
          async () => expect(only(await buyer.api.requests()).state).toBe("form_ready"),
          PATIENCE,
        );
        const { id } = only(only(await buyer.api.requests()).documents);
        const pdf = await fetchDocument(world, id, buyer.id);
        expect(pdf.status).toBe(200);
        const words = await textOfPdf(new Uint8Array(await pdf.arrayBuffer()));
        expect(words.toUpperCase()).toContain(lastName.toUpperCase());
      }
      const [kept, erased] = [await buy("Ashgrove"), await buy("Birkdale")];
      await opens(kept);
      await opens(erased);

      await ceph.killGateway();
      const meanwhile = await buy("Calamvale");
      const { id } = only(only(await kept.buyer.api.requests()).documents);
      expect((await fetchDocument(world, id, kept.buyer.id)).status).toBe(503);
      await ceph.startGateway();
      for (const person of [kept, erased, meanwhile]) await opens(person);

      const object = z.object({ object: z.string() });
      const stored = () => world.sql.rows(object, "SELECT object FROM document_bodies");
      const there = await namesIn(world.line.store.shop);
      // An object that was put and not answered in time lies there as well, under a name that no row has.
      expect(await stored()).toHaveLength(3);
      expect((await stored()).filter((row) => !there.includes(row.object))).toEqual([]);
      const store = createS3Store(ceph.settings);
      for (const name of there) {
        const bytes = await store.get(world.line.store.shop, name);
        expect(bytes?.toString("latin1")).not.toMatch(/%PDF|Ashgrove|Birkdale|Calamvale/i);
      }
      await world.store.privacy("customers/redact", {
        customerId: erased.buyer.id,
        orderIds: [erased.order.id],
      });
      await eventually(async () => {
        const rows = await stored();
        expect(rows).toHaveLength(2);
        expect(rows.filter((row) => !there.includes(row.object))).toEqual([]);
      }, PATIENCE);
      for (const person of [kept, meanwhile]) await opens(person);
      const made = Object.values((await world.console.stats()).referralsByReferenceNumber);
      expect(made).toEqual([1, 1, 1]);

      // The object without a row was sealed under the key that is gone; it goes by itself after 30 days, or with its shop.
      await world.store.uninstall();
      const left = "SELECT count(*) FROM shops WHERE uninstalled_at IS NOT NULL";
      await eventually(async () => expect(await world.sql.count(left)).toBe(1), PATIENCE);
      await world.store.privacy("shop/redact");
      await eventually(
        async () => expect(await namesIn(world.line.store.shop)).toEqual([]),
        PATIENCE,
      );
    }, 300_000);
  });
});
