import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../../test/database/invitation.ts";
import { ownDetails } from "../../access/own-details.ts";
import { renewLink } from "../../access/renew-link.ts";
import { gid } from "../../kernel/ids.ts";
import { copyLink } from "../copy-link.ts";

const db = await openTestDatabase();

/** An order of two units, and what staff get when they copy a unit's link. */
async function start({ guest = true } = {}) {
  const world = await startInvitation(db, { guest });
  const { ports, shop, id } = world;
  const copy = async () => {
    const outcome = await copyLink(ports, {
      shop,
      orderId: gid("Order", 1001),
      requestId: id,
      actor: "staff:7",
    });
    if (outcome.kind !== "link") throw new Error(outcome.kind);
    return outcome.url;
  };
  const enterBy = async (url: string) => {
    const token = /\/t\/[a-z0-9-]+\.([\w-]{43})$/.exec(url)?.[1] ?? "";
    const session = await world.open(token);
    return world.viewerOf(session?.secret ?? "");
  };
  const claimedAt = () =>
    db.tenancy.inShop(shop, async (tenant) => (await tenant.requests.find(id))?.acceptedAt);
  return { ...world, copy, enterBy, claimedAt };
}

test("a link that staff copy opens no details, form or results, and names nobody", async () => {
  const { copy, enterBy, give, see, ports, shop, id } = await start({ guest: false });
  await give(BUYER);
  const viewer = await enterBy(await copy());
  if (!viewer) throw new Error("The link let nobody in");
  const [seen] = await see(viewer);
  const closed = "other_purpose";
  expect(seen?.access).toEqual({ details: closed, form: closed, results: closed });
  expect(seen?.patientName).toBeNull();
  await expect(ownDetails(ports, { shop, viewer, requestId: id })).rejects.toThrow(closed);
  expect((await see(BUYER)).map(({ patientName }) => patientName)).toContain("Ada C.");
});

test("its page mails a link that opens more to the owner's own address", async () => {
  const { copy, enterBy, shop, ports, runJobs, mails } = await start();
  const viewer = await enterBy(await copy());
  if (viewer?.kind !== "guest") throw new Error("no guest");
  await renewLink(ports, { shop, by: { linkId: viewer.link.id } });
  await runJobs();
  expect(mails.map(({ to }) => to)).toEqual(["sam@example.com"]);
});

test("copying ends no link that was mailed, and claims no unit for its patient", async () => {
  const invited = await start({ guest: false });
  await invited.send();
  await invited.runJobs();
  const viewer = await invited.enterBy(await invited.copy());
  expect(viewer).toMatchObject({ kind: "patient", link: { purpose: "status" } });
  expect(await invited.claimedAt()).toBeNull();
  expect(await invited.enter()).toMatchObject({ link: { purpose: "invitation" } });
  expect(await invited.claimedAt()).not.toBeNull();
});

test("a buyer with an account gets the order's page there; each copying is written down", async () => {
  const { shop, copy, id } = await start({ guest: false });
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.recordFacts({ accounts: "new" }));
  expect(await copy()).toBe("https://shop.example/orders/1001");
  const [timeline, log] = await db.tenancy.inShop(shop, async (tenant) => [
    await tenant.timeline.forOrder(gid("Order", 1001)),
    await tenant.accessLog.forRequests([id], 10),
  ]);
  expect(timeline).toMatchObject([{ kind: "link_copied", actor: "staff:7" }]);
  expect(log).toMatchObject([{ what: "link_copied", actor: "staff:7", who: "staff" }]);
});
