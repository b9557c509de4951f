import { expect, test } from "vitest";
import { sampleRequest } from "../../../test/samples/facts.ts";
import { sampleTenant } from "../../../test/samples/tenant.ts";
import { CUSTOMER, sampleGuest } from "../../../test/samples/viewers.ts";
import { gid } from "../kernel/ids.ts";
import { findOwned, findOwnedForUpdate } from "./find-owned.ts";
import { LinkRefused } from "./link-access.ts";
import type { Viewer } from "./viewer.ts";

const own = sampleRequest({ state: "created" });
const read = async (id: string) => (id === own.id ? own : null);
const ways = [
  ["reading", findOwned, sampleTenant({ requests: { find: read } })],
  ["a change", findOwnedForUpdate, sampleTenant({ requests: { findForUpdate: read } })],
] as const;

test.each(ways)(
  "finds for %s what the viewer holds, and says nothing of the rest",
  async (_, find, tenant) => {
    const look = (viewer: Viewer, requestId = own.id) =>
      find(tenant, { viewer, requestId, opening: "results" });
    expect(await look(CUSTOMER)).toBe(own);
    expect(await look(CUSTOMER, "unknown")).toBeNull();
    expect(await look({ kind: "customer", customerId: gid("Customer", 8) })).toBeNull();
  },
);

test.each(ways)("opens for %s no more than the viewer's link", async (_, find, tenant) => {
  const viewer = sampleGuest({ purpose: "form" });
  expect(await find(tenant, { viewer, requestId: own.id, opening: "form" })).toBe(own);
  await expect(find(tenant, { viewer, requestId: own.id, opening: "results" })).rejects.toThrow(
    LinkRefused,
  );
});
