import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { refetchResult } from "../results/refetch-result.ts";
import type { ResultSnapshot } from "../snapshots.ts";

const db = await openTestDatabase();
const URL_OF_FORM = "https://service.example/form.pdf";

/** An issued referral, and refetches whose download takes until `meanwhile` has happened. */
async function start() {
  const created = await startCreated(db);
  const { shop, ports, service, requestId } = created;
  const [uuid = ""] = created.uuids();
  const issue = () => service.set(uuid, { status: "ISSUED", referralAttachment: URL_OF_FORM });
  issue();
  const bringing = (text: string, meanwhile: () => Promise<unknown> = async () => {}) => ({
    ...ports,
    attachments: {
      async download() {
        await meanwhile();
        return { kind: "pdf" as const, bytes: Buffer.from(`%PDF-1.7 ${text}`) };
      },
    },
  });
  return {
    ...created,
    uuid,
    issue,
    bringing,
    refetch: (...form: Parameters<typeof bringing>) =>
      refetchReferral(bringing(...form), { shop, environment: "staging", uuid }),
    async refetchResult(snapshot: ResultSnapshot, ...pdf: Parameters<typeof bringing>) {
      const real = await ports.services.forConnection(shop, "staging");
      if (!real) throw new Error("no service");
      const services = {
        forConnection: async () => ({ ...real, getResult: async () => snapshot }),
      };
      const target = { shop, environment: "staging", uuid: snapshot.uuid } as const;
      return refetchResult({ ...bringing(...pdf), services }, target);
    },
    /** The PDFs that may be opened, and how many versions there were. */
    async documents() {
      return db.tenancy.inShop(shop, async (tenant) => {
        const current = await tenant.documents.forRequests([requestId]);
        const bodies = current.map(async ({ id, version, partial }) => ({
          pdf: String(await tenant.documents.body(id)).slice("%PDF-1.7 ".length),
          version,
          partial,
        }));
        return Promise.all(bodies);
      });
    },
  };
}

test("a form that was corrected while it was being downloaded does not replace the corrected one", async () => {
  const { refetch, issue, documents, takeJobs } = await start();
  const outcome = await refetch("as it was", async () => {
    issue();
    await refetch("corrected");
  });
  expect(outcome).toMatchObject({ kind: "stored", document: false });
  expect(await documents()).toEqual([{ pdf: "corrected", version: 1, partial: false }]);
  expect(await takeJobs()).toContain("refetch-referral");
});

test("a form is stored although the service dates it before what is known: nothing came meanwhile", async () => {
  const { refetch, service, uuid, documents, takeJobs, clock } = await start();
  await refetch("first");
  await takeJobs();
  clock.advance(60_000);
  const past = new Date(clock.now().getTime() - 3_600_000).toISOString();
  Object.assign(service.referrals.find((one) => one.uuid === uuid) ?? {}, { updatedAt: past });
  expect(await refetch("second")).toMatchObject({ document: true });
  expect(await documents()).toEqual([{ pdf: "second", version: 2, partial: false }]);
  expect(await takeJobs()).not.toContain("refetch-referral");
});

test("a form whose referral was deleted while it was being downloaded is nobody's any more", async () => {
  const { refetch, withdraw, shop, requestId, documents } = await start();
  await refetch("form", async () => {
    await db.tenancy.inShop(shop, (tenant) =>
      putRequest(tenant, requestId, {
        cancellation: { requestedBy: "staff", status: "confirmed" },
      }),
    );
    expect(await withdraw()).toMatchObject({ kind: "deleted" });
  });
  expect(await documents()).toEqual([]);
});

test("a partial report that was completed while it was being downloaded does not replace the whole one", async () => {
  const { uuid: referralUuid, refetchResult, documents } = await start();
  const partial = resultSnapshot({
    referralUuid,
    status: "PARTIAL",
    updatedAt: "2026-11-20T10:00:00.000Z",
    resultAttachment: URL_OF_FORM,
  });
  const whole = { ...partial, status: "COMPLETE", updatedAt: "2026-11-20T10:00:01.000Z" };
  await refetchResult(partial, "partial", () => refetchResult(whole, "whole"));
  expect(await documents()).toEqual([{ pdf: "whole", version: 1, partial: false }]);
});

test("the report of a result that is or was being deleted is not stored", async () => {
  const { uuid: referralUuid, refetchResult, documents } = await start();
  const result = resultSnapshot({ referralUuid, resultAttachment: URL_OF_FORM });
  const deleted = { ...result, deletedAt: "2026-11-20T10:00:00.000Z" };
  await refetchResult(result, "report", () => refetchResult(deleted, "report"));
  expect(await documents()).toEqual([]);
});
