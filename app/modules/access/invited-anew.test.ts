import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { createLogger } from "../../platform/logger.ts";
import { copyLink } from "../notifications/copy-link.ts";
import { cancelRequest } from "../referrals/cancel-request.ts";
import { reorderRequest } from "../referrals/reorder-request.ts";
import { invitePatient, revokeInvitation } from "./invite-patient.ts";
import { recogniseToken } from "./open-link.ts";

const db = await openTestDatabase();
const STAFF = "staff:1" as const;

/** Nothing of this test is at the service: nothing is read there. */
const NEVER_ORDERED = {
  services: { forConnection: async () => null },
  attachments: { download: async () => ({ kind: "gone", reason: "none" }) as const },
  emailByService: false,
  logger: createLogger("silent"),
};

/** Ann was invited and never came; the test was cancelled, ordered again, and is Bob's to have. */
async function invitedBefore() {
  const world = await startInvitation(db);
  const { shop, ports, id } = world;
  await world.send("ann@example.com");
  await world.runJobs();
  const status = await copyLink(ports, {
    ...{ shop, orderId: storeOrder().id, requestId: id, actor: STAFF },
  });
  const anns = status.kind === "link" ? (/\.([\w-]+)$/.exec(status.url)?.[1] ?? "") : "";
  expect(await cancelRequest(ports, { shop, requestId: id, actor: STAFF })).toMatchObject({
    kind: "cancelled",
  });
  const next = await reorderRequest(
    { ...ports, ...NEVER_ORDERED },
    { shop, requestId: id, actor: STAFF },
  );
  const requestId = next.kind === "reordered" ? next.requestId : expect.unreachable(next.kind);
  const came = () => recogniseToken(ports, { shop, token: anns });
  return { ...world, requestId, came };
}

test("keeps out who was invited before the test was ordered again, once another is invited", async () => {
  const { shop, ports, requestId, came, enter, give } = await invitedBefore();
  expect(await came()).toMatchObject({ kind: "patient" });
  const wish = { shop, viewer: BUYER, requestId };
  expect(await invitePatient(ports, { ...wish, email: "bob@example.com" })).toMatchObject({
    kind: "handed_over",
  });
  // Bob's own link goes on.
  const bob = await enter();
  expect(await give(bob, requestId)).toMatchObject({ kind: "saved" });
  expect(await came()).toBeNull();
});

test("keeps them out when the buyer takes the test back, and then invites another", async () => {
  const { shop, ports, requestId, came } = await invitedBefore();
  const wish = { shop, viewer: BUYER, requestId };
  expect(await revokeInvitation(ports, wish)).toMatchObject({ kind: "taken_back" });
  expect(await came()).toBeNull();
  await invitePatient(ports, { ...wish, email: "bob@example.com" });
  expect(await came()).toBeNull();
});
