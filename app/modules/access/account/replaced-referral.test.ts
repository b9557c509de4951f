import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { unitName } from "../../../../extensions/shared/unit-name.ts";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { hashSecret } from "../../kernel/secret.ts";
import type { DocumentKind } from "../../referrals/document.ts";
import { refetchReferral } from "../../referrals/referrals/refetch-referral.ts";
import { customerWords } from "../customer-words.ts";
import { issueLink } from "../issue-link.ts";
import { listCustomerRequests } from "../list-requests.ts";
import { openDocument } from "../open-document.ts";
import { openLink, recogniseSession } from "../open-link.ts";
import { openResult } from "../open-result.ts";
import type { Viewer } from "../viewer.ts";

const db = await openTestDatabase();

/** A unit of a patient who came through a link of their own, whose referral has its form. */
async function start() {
  const created = await startCreated(db);
  const { shop, ports, requestId, service } = created;
  const [first = ""] = created.uuids();
  await db.pool.query(
    "UPDATE referral_requests SET owner = 'patient', invited_at = now() WHERE id = $1",
    [requestId],
  );
  const now = ports.clock.now();
  const link = { requestId, kind: "handover", purpose: "results", to: "", now } as const;
  const { token } = await db.tenancy.inShop(shop, (tenant) => issueLink(tenant, link));
  await db.pool.query("UPDATE patient_links SET recipient = NULL WHERE shop = $1", [shop]);
  const session = await openLink(ports, { shop, token });
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.links.stepUpSession(hashSecret(session?.secret ?? ""), now),
  );
  const viewer = async (): Promise<Viewer> => {
    const found = await recogniseSession(ports, { shop, secret: session?.secret ?? "" });
    if (!found) throw new Error("The session has ended");
    return found.viewer;
  };
  const store = (kind: DocumentKind, sourceUuid: string, owner = requestId) => {
    const pdf = Buffer.from(`%PDF-1.7 ${sourceUuid}`);
    const sha256 = createHash("sha256").update(pdf).digest("hex");
    const document = { customerId: null, kind, sourceUuid, partial: false, sha256 };
    return db.tenancy.inShop(shop, (tenant) =>
      tenant.documents.store(
        { ...document, id: randomUUID(), requestId: owner, bytes: pdf.length },
        pdf,
        ports.clock.now(),
      ),
    );
  };
  return {
    ...created,
    first,
    store,
    /** Released at once. */
    result: (referralUuid: string, partial: boolean, owner = requestId) => {
      const snapshot = resultSnapshot({ referralUuid });
      return db.tenancy.inShop(shop, async (tenant) => {
        const at = ports.clock.now();
        await tenant.results.save({
          environment: "staging",
          requestId: owner,
          snapshot,
          partial,
          inReview: false,
          otherPerson: false,
          releasedAt: at,
          at,
        });
        return snapshot.uuid;
      });
    },
    /** The service makes another referral in this one's place by itself. */
    async replaceAtService() {
      const uuid = randomUUID();
      const [failed] = service.referrals;
      service.referrals.unshift({ ...failed, uuid, status: "ISSUED", resultsUuid: null });
      await refetchReferral(ports, { shop, environment: "staging", uuid });
      return uuid;
    },
    see: async () => listCustomerRequests(ports, { shop, viewer: await viewer() }),
    open: async (documentId: string) =>
      (await openDocument(ports, { shop, viewer: await viewer(), documentId }))?.pdf.toString(),
    read: async (resultId: string) => openResult(ports, { shop, viewer: await viewer(), resultId }),
  };
}

test("the patient's page goes on from a failed referral to the one that the service made in its place", async () => {
  const { first, store, become, replaceAtService, see, open, result, requestId } = await start();
  const oldForm = await store("referral", first);
  await become({ status: "FAILED_TEST" });
  expect(await see()).toMatchObject([{ state: "needs_support" }]);

  const second = await replaceAtService();
  expect(await see()).toMatchObject([{ id: requestId, state: "being_prepared", documents: [] }]);
  const newForm = await store("referral", second);
  expect(await see()).toMatchObject([
    { id: requestId, state: "form_ready", documents: [{ id: newForm?.id }] },
  ]);
  expect(await open(oldForm?.id ?? "")).toBeUndefined();
  expect(await open(newForm?.id ?? "")).toContain(second);

  const resultId = await result(second, false);
  expect(await see()).toMatchObject([{ state: "results_ready", resultId }]);
});

test("results that came of the failed one stay readable, and do not stand for those to come", async () => {
  const { first, store, become, replaceAtService, see, result, read } = await start();
  await store("referral", first);
  const partial = await result(first, true);
  const report = await store("result", partial);
  await become({ status: "FAILED_TEST" });
  const second = await replaceAtService();
  const form = await store("referral", second);
  expect(await see()).toMatchObject([
    { state: "form_ready", resultId: partial, documents: [{ id: form?.id }, { id: report?.id }] },
  ]);
  expect(await read(partial)).not.toBeNull();

  const whole = await result(second, false);
  expect(await see()).toMatchObject([{ state: "results_ready", resultId: whole }]);
  expect(await read(whole)).not.toBeNull();
});

test("the patient's page goes on to the unit's next generation when it is ordered again", async () => {
  const { first, store, become, reorder, create, see, open, shop, requestId } = await start();
  const oldForm = await store("referral", first);
  await become({ status: "FAILED_TEST" });
  const again = await reorder();
  if (again.kind !== "reordered") throw new Error(`It was ${again.kind}`);
  expect(await see()).toMatchObject([{ id: again.requestId, state: "being_prepared" }]);
  await create(again.requestId);
  const [referral] = await db.tenancy.inShop(shop, (tenant) =>
    tenant.referrals.forRequests([again.requestId]),
  );
  const newForm = await store("referral", referral?.uuid ?? "", again.requestId);
  expect(again.requestId).not.toBe(requestId);
  expect(await see()).toMatchObject([
    { id: again.requestId, state: "form_ready", documents: [{ id: newForm?.id }] },
  ]);
  expect(await open(oldForm?.id ?? "")).toBeUndefined();
  expect(await open(newForm?.id ?? "")).toContain(referral?.uuid);
});

test("tells the results of a test that was ordered again from its replacement, and promises no rest", async () => {
  const { first, store, become, reorder, see, result } = await start();
  await store("referral", first);
  const partial = await result(first, true);
  await become({ status: "FAILED_TEST" });
  const again = await reorder();
  if (again.kind !== "reordered") throw new Error(`It was ${again.kind}`);
  const units = await see();
  expect(units).toMatchObject([
    { resultId: partial, state: "partial_results", replacement: 0 },
    { id: again.requestId, state: "being_prepared", replacement: 1 },
  ]);
  expect(units[0]?.nextStep).toMatch(
    /No more results come of the earlier order\. See the replacement/,
  );
  const names = units.map((unit) => unitName(unit, customerWords));
  expect(new Set(names).size).toBe(2);
});
