import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { JOB_NAMES, JOBS } from "../../app/jobs/definitions.ts";
import { withPresentName } from "../../app/jobs/former-names.ts";
import { openDocument } from "../../app/modules/access/open-document.ts";
import { recogniseToken, whyClosed } from "../../app/modules/access/open-link.ts";
import { gid, gidNumber, shopDomain } from "../../app/modules/kernel/ids.ts";
import type { JobName } from "../../app/modules/reports/jobs.ts";
import { IN_DATABASE } from "../database/in-database.ts";
import { AT_THE_DUMP, FACTS, openEarlierDatabase } from "./earlier-database.ts";

const { pool, tenancy } = await openEarlierDatabase();
const ports = {
  tenancy,
  clock: { now: () => AT_THE_DUMP },
  documentBodies: IN_DATABASE,
};
const shop = shopDomain(FACTS.shop);
if (!shop) throw new Error("The dump names no shop");
const tokenOf = (name: string) => FACTS.links[name]?.split(".").at(-1) ?? "";
const requestOf = (name: string) => FACTS.requests[name]?.[0] ?? "";

test.each(["done", "guestIssued"])("opens the sealed patient of the request %s", async (name) => {
  const patient = await tenancy.inShop(shop, (tenant) =>
    tenant.requests.patientOf(requestOf(name)),
  );
  const { consent: _, ...given } = FACTS.patients[name] ?? {};
  expect(patient?.patient).toMatchObject(given);
});

test("opens every stored PDF for its customer", async () => {
  const viewer = {
    kind: "customer",
    customerId: gid("Customer", gidNumber(FACTS.buyer.id)),
  } as const;
  for (const { id, sha256 } of FACTS.documents) {
    const opened = await openDocument(ports, { shop, viewer, documentId: id });
    expect(
      createHash("sha256")
        .update(opened?.pdf ?? "")
        .digest("hex"),
    ).toBe(sha256);
  }
});

test("opens the sealed results", async () => {
  const snapshots = await tenancy.inShop(shop, async (tenant) => {
    const results = await tenant.results.forRequests([requestOf("done")]);
    return Promise.all(results.map(({ uuid }) => tenant.results.snapshotOf(uuid)));
  });
  expect(snapshots).toHaveLength(1);
  expect(snapshots[0]?.biomarkers.length).toBeGreaterThan(0);
});

test.each(["guestDetails", "invitation"])("opens the mailed link %s", async (name) => {
  const token = tokenOf(name);
  expect(await whyClosed(ports, { shop, token })).toBeNull();
  expect(await recogniseToken(ports, { shop, token })).not.toBeNull();
});

test("has a handler for every job that waits in the queue", async () => {
  const { rows } = await pool.query<{ name: string; data: Record<string, unknown> }>(
    `SELECT name, data FROM pgboss.job WHERE state IN ('created', 'retry', 'active')
     UNION ALL SELECT name, payload FROM outbox`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const { name, data } = withPresentName(row);
    expect(JOB_NAMES).toContain(name);
    expect(JOBS[name as JobName].schema.safeParse(data).success).toBe(true);
  }
});

test("keeps the state of every request", async () => {
  const states = await tenancy.inShop(shop, async (tenant) => {
    const found: Record<string, unknown> = {};
    for (const name of Object.keys(FACTS.requests))
      found[name] = (await tenant.requests.find(requestOf(name)))?.state;
    return found;
  });
  expect(states).toEqual({
    done: "created",
    issued: "created",
    guest: "awaiting_details",
    guestIssued: "created",
    handedOver: "awaiting_details",
    awaiting: "awaiting_details",
    sending: "sending",
  });
});
