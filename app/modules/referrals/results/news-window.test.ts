import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();
const WINDOW_MS = 60_000;

test("the email about a form and about a result is queued for the end of its window, and not before", async () => {
  const { shop, ports: all, service, clock, uuids } = await startCreated(db);
  const [uuid = ""] = uuids();
  service.set(uuid, { status: "ISSUED", referralAttachment: "https://service.example/form.pdf" });
  const real = await all.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const result = resultSnapshot({ referralUuid: uuid, resultAttachment: null });
  const ports = {
    ...all,
    waits: { ...all.waits, mailWindowMs: WINDOW_MS },
    services: { forConnection: async () => ({ ...real, getResult: async () => result }) },
    attachments: {
      download: async () => ({ kind: "pdf" as const, bytes: Buffer.from("%PDF-1.7 form") }),
    },
  };
  const target = { shop, environment: "staging" } as const;
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
  await refetchReferral(ports, { ...target, uuid });
  await refetchResult(ports, { ...target, uuid: result.uuid });
  const { rows } = await db.pool.query<{ kind: string; due: Date }>(
    `SELECT payload->>'kind' AS kind, start_after AS due FROM outbox
     WHERE shop = $1 AND name = 'send-mail' ORDER BY id`,
    [shop],
  );
  const due = new Date(clock.now().getTime() + WINDOW_MS);
  expect(rows).toEqual([
    { kind: "form_ready", due },
    { kind: "results_available", due },
  ]);
});
