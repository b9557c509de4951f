import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { hashSecret, lifetimeMs, newSecret } from "../kernel/secret.ts";
import { hasLapsed, openLink, recogniseSession } from "./open-link.ts";

const db = await openTestDatabase();
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** A world whose clock is three days ahead, until it is set right. */
async function startAhead() {
  const world = await startLinked(db);
  const delivered = await world.deliver();
  world.clock.advance(3 * DAY_MS);
  return { ...world, ...delivered, setBack: () => world.clock.advance(-3 * DAY_MS) };
}

test("a visit that began before the clock was set back is over, and the next link lets in", async () => {
  const { mail, ports, shop, enter, came, setBack } = await startAhead();
  const token = await mail("results_available");
  const session = await openLink(ports, { shop, token });
  const program = await mail("results_available");
  await enter(program);
  const secret = session?.secret ?? "";
  expect(await recogniseSession(ports, { shop, secret })).not.toBeNull();
  setBack();
  expect(await recogniseSession(ports, { shop, secret })).toBeNull();
  expect(await came(program)).toBeNull();
  // A form that was being filled in is kept, as after any visit that ended by the clock.
  expect(await hasLapsed(ports, { shop, secret })).toBe(true);
  expect(await came(await mail("results_available"))).not.toBeNull();
});

test("wrong tries and codes of before the clock was set back lock nobody out, and open nothing", async () => {
  const { mail, enter, sendCode, checkCode, code, wrong, setBack } = await startAhead();
  const early = await enter(await mail("results_available"));
  await sendCode(early);
  for (let n = 0; n < 4; n++) await checkCode(early, wrong(code()));
  expect(await checkCode(early, wrong(code()))).toMatchObject({ kind: "paused" });
  const former = code();
  setBack();
  const viewer = await enter(await mail("results_available"));
  expect(await checkCode(viewer, former)).toEqual({ kind: "no_code" });
  expect(await sendCode(viewer)).toMatchObject({ kind: "sent" });
  for (let n = 0; n < 4; n++)
    expect(await checkCode(viewer, wrong(code()))).toEqual({ kind: "wrong" });
  expect(await checkCode(viewer, wrong(code()))).toMatchObject({ kind: "paused" });
});

test("a ticket of before the clock was set back opens nothing", async () => {
  const { shop, form, clock, setBack } = await startAhead();
  const ticket = newSecret("document_ticket");
  const at = clock.now();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.documents.saveTicket(
      hashSecret(ticket),
      form,
      new Date(at.getTime() + lifetimeMs("document_ticket")),
    ),
  );
  setBack();
  const taken = await db.tenancy.inShop(shop, (tenant) =>
    tenant.documents.takeTicket(hashSecret(ticket), clock.now()),
  );
  expect(taken).toBeNull();
});

test("staff's look of before the clock was set back is over", async () => {
  const { shop, id, clock, setBack } = await startAhead();
  const look = (openedAt: Date) => ({
    ...{ id: randomUUID(), requestId: id, staff: "staff:1" as const, caseNumber: null },
    reason: "patient_asked" as const,
    openedAt,
    until: new Date(openedAt.getTime() + 15 * MINUTE_MS),
  });
  const add = () => db.tenancy.inShop(shop, (tenant) => tenant.staffAccess.add(look(clock.now())));
  const open = () =>
    db.tenancy.inShop(shop, (tenant) => tenant.staffAccess.open(id, "staff:1", clock.now()));
  await add();
  expect(await open()).not.toBeNull();
  setBack();
  expect(await open()).toBeNull();
  await add();
  expect(await open()).not.toBeNull();
});
