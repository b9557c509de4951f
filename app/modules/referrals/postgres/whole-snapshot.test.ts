import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import {
  wireReferral,
  wireResult,
} from "../../../clients/referral-service/testing/wire-samples.ts";
import { referralSchema } from "../../../clients/referral-service/wire/referral.ts";
import { resultSchema } from "../../../clients/referral-service/wire/result.ts";
import { askPool } from "../../../platform/encryption/data-keys.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import type { NamedPerson } from "../snapshots.ts";

const db = await openTestDatabase();

test("seals what the service said whole, but for the address of its PDF", async () => {
  const one = await startCreated(db);
  const [uuid = ""] = one.uuids();
  const address = "https://files.example/form.pdf?signature=secret";
  const refetch = one.become({ novelty: { deep: [1] }, referralAttachment: address });
  await expect(refetch).rejects.toMatchObject({ name: "AttachmentUnavailable" });
  expect(await storedOf("referrals", one, uuid)).toMatchObject({
    ...{ uuid, novelty: { deep: [1] }, referralAttachment: null },
  });
});

test("seals what a result says of its person beside the person whom it is found to mean", async () => {
  const one = await startCreated(db);
  const uuid = randomUUID();
  const save = (person: object | null, named?: NamedPerson) =>
    db.tenancy.inShop(one.shop, (tenant) => {
      const snapshot = resultSchema.parse(wireResult({ uuid, person }));
      const { environment, requestId } = {
        environment: "staging" as const,
        requestId: one.requestId,
      };
      const found = { partial: false, inReview: false, otherPerson: true, releasedAt: null };
      const at = one.clock.now();
      return tenant.results.save({ environment, requestId, snapshot, named, at, ...found }, null);
    });
  const named = { firstName: "Somebody", lastName: "Else", dob: "1950-01-01" };
  const dob = { year: 1990 };
  await save({ firstName: "Ada", lastName: "Else", dob, suffix: "OAM", said: "own" }, named);
  const { person } = (await storedOf("results", one, uuid)) as { person: object };
  expect(person).toEqual({ ...named, suffix: "OAM", said: { firstName: "Ada", dob, said: "own" } });
  await save(null, named);
  expect(await storedOf("results", one, uuid)).toMatchObject({ person: named });
  expect(await db.tenancy.inShop(one.shop, (tenant) => tenant.results.personBefore(uuid))).toEqual({
    ...named,
    medicareCardNumber: null,
  });
});

test("a form stays beside a copy that an earlier version stored without what could not be read", async () => {
  const one = await startCreated(db);
  const [uuid = ""] = one.uuids();
  const said = { dob: "1990-01-02", firstName: "Ada", lastName: "Citizen", address: "1 High St" };
  const snapshot = referralSchema.parse(wireReferral({ uuid, status: "ISSUED", person: said }));
  const { said: _, ...person } = snapshot.whole.person as Record<string, unknown>;
  const former = { ...snapshot, whole: { ...snapshot.whole, person } };
  const documentId = randomUUID();
  await db.pool.query(
    `INSERT INTO documents (shop, id, request_id, kind, source_uuid, version, partial, sha256, bytes, created_at)
     VALUES ($1, $2, $3, 'referral', $4, 1, false, '', 1, now())`,
    [one.shop, documentId, one.requestId, uuid],
  );
  const save = (of: typeof snapshot) =>
    db.tenancy.inShop(one.shop, (tenant) =>
      tenant.referrals.save("staging", one.requestId, of, one.clock.now()),
    );
  const replaced = async () =>
    (await db.pool.query("SELECT replaced_at FROM documents WHERE id = $1", [documentId])).rows;
  await save(former);
  expect(await storedOf("referrals", one, uuid)).not.toHaveProperty("person.said");
  await db.pool.query("UPDATE documents SET replaced_at = NULL WHERE id = $1", [documentId]);
  await save(snapshot);
  expect(await storedOf("referrals", one, uuid)).toHaveProperty("person.said", {
    address: "1 High St",
  });
  expect(await replaced()).toEqual([{ replaced_at: null }]);
});

/** Opens the copy that is stored of a referral or result. */
async function storedOf(
  table: "referrals" | "results",
  { shop, requestId }: { shop: ShopDomain; requestId: string },
  uuid: string,
): Promise<unknown> {
  const { rows } = await db.pool.query<{ sealed: Buffer }>(
    `SELECT snapshot_sealed AS sealed FROM ${table} WHERE shop = $1 AND uuid = $2`,
    [shop, uuid],
  );
  const { sealers } = db;
  const keys = sealers.subjects(shop, await sealers.forShop(shop), askPool(db.pool));
  const opener = await keys.opener({ request: requestId });
  const field = { table, column: "snapshot", row: uuid };
  return opener.openJson(field, rows[0]?.sealed ?? Buffer.alloc(0));
}
