import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, STRANGER, startInvitation } from "../../../test/database/invitation.ts";
import { untilWaiting, whoHoldsRequest } from "../../../test/database/locks.ts";
import { DAY_MS } from "../../../test/database/mail-run.ts";
import { repeatedTransactions } from "../../platform/counters.ts";
import { invitePatient, revokeInvitation } from "./invite-patient.ts";
import { issueLink } from "./issue-link.ts";
import { recogniseToken, whyClosed } from "./open-link.ts";
import { renewLink } from "./renew-link.ts";

const db = await openTestDatabase();
const repeated = () => repeatedTransactions.values().reduce((sum, { value }) => sum + value, 0);
const start = (options?: { guest?: boolean }) => startInvitation(db, options);

test("mails a stranger no address on the web that a buyer wrote as their name", async () => {
  const { send, runJobs, mails } = await startInvitation(db, {
    buyer: {
      firstName: "Your parcel waits: https://evil.example/pay",
      lastName: "or www.evil.example",
    },
  });
  await send();
  await runJobs();
  const { subject, text, html } = mails.at(-1) ?? expect.fail();
  for (const part of [subject, text, html]) {
    expect(part).toContain("Your parcel waits: https: evil. example pay");
    expect(part).not.toMatch(/evil\.example|https:\/\/evil/);
  }
});

test("makes the patient its only owner; the buyer sees sent, claimed and done", async () => {
  const { give, send, seeOne, see, enter, id, other, mails } = await start();
  expect(await give(BUYER)).toMatchObject({ kind: "saved" });
  expect(await send()).toMatchObject({ kind: "handed_over" });
  // The buyer's entries about the patient are gone, not only hidden.
  const { rows } = await db.pool.query(
    "SELECT patient_sealed, consent_at, state FROM referral_requests WHERE id = $1",
    [id],
  );
  expect(rows).toEqual([{ patient_sealed: null, consent_at: null, state: "awaiting_details" }]);
  expect(await seeOne(BUYER)).toMatchObject({
    state: "handed_over",
    // The buyer typed the address, and may have mistyped it.
    nextStep: expect.stringContaining("pat@example.com"),
    handOver: { state: "sent", canTakeBack: true },
    documents: [],
    prefill: null,
  });
  expect(await give(BUYER)).toEqual({ kind: "not_found" });

  const patient = await enter();
  expect(mails.at(-1)).toMatchObject({ to: "pat@example.com", fromName: "Example Health" });
  expect(await seeOne(BUYER)).toMatchObject({
    handOver: { state: "claimed", canTakeBack: false },
  });
  expect((await seeOne(BUYER))?.nextStep).not.toContain("pat@");
  // The patient sees this unit alone, and nothing of the buyer.
  expect(await see(patient)).toMatchObject([{ id, state: "awaiting_details", prefill: null }]);
  expect(await give(patient, other)).toEqual({ kind: "not_found" });
  expect(await give(patient)).toMatchObject({ kind: "saved" });
  expect(await seeOne(BUYER)).toMatchObject({
    state: "handed_over",
    handOver: { state: "done" },
  });
  expect(await see(patient)).toMatchObject([{ state: "being_prepared", handOver: null }]);
});

test("is the buyer's alone to do, to an address, and only before anything was ordered", async () => {
  const { send, id } = await start();
  expect(await send("pat@example.com", STRANGER)).toEqual({ kind: "not_found" });
  for (const wrong of ["", "pat", null, 7, { email: "pat@example.com" }])
    expect(await send(wrong)).toMatchObject({ kind: "invalid" });
  for (const state of ["sending", "created", "ambiguous", "cancelled"]) {
    await db.pool.query("UPDATE referral_requests SET state = $1 WHERE id = $2", [state, id]);
    expect(await send()).toEqual({ kind: "too_late" });
  }
});

test("at the same moment as the buyer gives the details: the unit is the patient’s, and nothing is ordered", async () => {
  const { give, send, id, seeOne } = await start();
  const other = await whoHoldsRequest(db, id);
  const before = repeated();
  const sent = send();
  await untilWaiting(db, 1);
  const given = give(BUYER);
  await untilWaiting(db, 2);
  await other.end();
  expect(await sent).toMatchObject({ kind: "handed_over" });
  expect(await given).toEqual({ kind: "not_found" });
  expect(repeated()).toBe(before);
  expect(await seeOne(BUYER)).toMatchObject({ handOver: { state: "sent" } });
  const { rows } = await db.pool.query(
    "SELECT state, patient_sealed FROM referral_requests WHERE id = $1",
    [id],
  );
  expect(rows).toEqual([{ state: "awaiting_details", patient_sealed: null }]);
});

test("to another address while the first link is being opened: one of them has the unit", async () => {
  const { send, runJobs, mails, token, open, id, seeOne } = await start();
  await send("first@example.com");
  await runJobs();
  const other = await whoHoldsRequest(db, id);
  const before = repeated();
  const sent = send("second@example.com");
  await untilWaiting(db, 1);
  const opened = open(token(mails[0]));
  await untilWaiting(db, 2);
  await other.end();
  expect(await sent).toMatchObject({ kind: "handed_over" });
  expect(await opened).toBeNull();
  // Both take the request first and the link then: neither waits for the other.
  expect(repeated()).toBe(before);
  expect(await seeOne(BUYER)).toMatchObject({ handOver: { state: "sent" } });
});

test("twice to one address: the newer link is told of behind the older, which a new one can be asked for by", async () => {
  const { shop, ports, clock, send, runJobs, mails, token, open } = await start();
  await send();
  await runJobs();
  const older = token(mails.at(-1));
  clock.advance(60_000);
  expect(await send(" Pat@example.com ")).toMatchObject({ kind: "handed_over" });
  await runJobs();
  const newer = token(mails.at(-1));
  expect(newer).not.toBe(older);
  expect(await whyClosed(ports, { shop, token: older })).toBe("superseded");
  clock.advance(60_000);
  await renewLink(ports, { shop, by: { token: older } });
  await runJobs();
  expect(mails.at(-1)).toMatchObject({ to: "Pat@example.com" });
  expect(await open(token(mails.at(-1)))).not.toBeNull();
});

test("can be taken back until the patient came, which ends the link; not by a stranger", async () => {
  const { shop, ports, id, send, runJobs, mails, token, open, seeOne, enter } = await start();
  const target = { shop, requestId: id };
  await send();
  await runJobs();
  const former = token(mails.at(-1));
  expect(await revokeInvitation(ports, { ...target, viewer: STRANGER })).toEqual({
    kind: "not_found",
  });
  expect(await revokeInvitation(ports, { ...target, viewer: BUYER })).toMatchObject({
    kind: "taken_back",
  });
  expect(await open(former)).toBeNull();
  expect(await recogniseToken(ports, { shop, token: former })).toBeNull();
  expect(await seeOne(BUYER)).toMatchObject({ state: "awaiting_details", handOver: null });

  await send("other@example.com");
  await enter();
  expect(await revokeInvitation(ports, { ...target, viewer: BUYER })).toEqual({ kind: "too_late" });
  expect(await send()).toEqual({ kind: "too_late" });
});

test("that is taken back ends no link of another test's patient", async () => {
  const { shop, ports, other, id, send, runJobs, mails, token, open } = await start();
  await send();
  await invitePatient(ports, { shop, viewer: BUYER, requestId: other, email: "kim@example.com" });
  await runJobs();
  await revokeInvitation(ports, { shop, requestId: id, viewer: BUYER });
  expect(await open(token(mails.find(({ to }) => to === "kim@example.com")))).not.toBeNull();
  expect(await open(token(mails.find(({ to }) => to === "pat@example.com")))).toBeNull();
});

test("that is taken back ends no link of the buyer's own", async () => {
  const { shop, ports, clock, id, send } = await start();
  const mailed = { kind: "guest", purpose: "status", to: "sam@example.com" } as const;
  const { token } = await db.tenancy.inShop(shop, (tenant) =>
    issueLink(tenant, { ...mailed, requestId: id, now: clock.now() }),
  );
  await send();
  expect(await revokeInvitation(ports, { shop, requestId: id, viewer: BUYER })).toMatchObject({
    kind: "taken_back",
  });
  expect(await whyClosed(ports, { shop, token })).toBeNull();
});

test("to another address ends the first link, before and after its mail", async () => {
  const { send, runJobs, mails, token, open } = await start();
  await send("first@example.com");
  await runJobs();
  await send("second@example.com");
  await send("third@example.com");
  await runJobs();
  expect(mails.map(({ to }) => to)).toEqual(["first@example.com", "third@example.com"]);
  expect(await open(token(mails[0]))).toBeNull();
  expect(await open(token(mails[1]))).not.toBeNull();
});

test.each(["ready", "rejected", "ambiguous"])(
  "is too late once one of its two referrals was made, also while the missing one is %s",
  async (state) => {
    const { give, send, seeOne, id } = await start();
    await give(BUYER);
    await db.pool.query(
      "UPDATE referral_requests SET missing_part = 'medicare', state = $1 WHERE id = $2",
      [state, id],
    );
    expect(await seeOne(BUYER)).toMatchObject({ canHandOver: false });
    expect(await send()).toEqual({ kind: "too_late" });
    const { rows } = await db.pool.query(
      "SELECT owner, patient_sealed IS NOT NULL AS known FROM referral_requests WHERE id = $1",
      [id],
    );
    expect(rows).toEqual([{ owner: "buyer", known: true }]);
  },
);

test("does not go on for ever", async () => {
  const { send, runJobs, clock } = await start();
  for (let n = 0; n < 5; n++) {
    expect(await send()).toMatchObject({ kind: "handed_over" });
    await runJobs();
  }
  expect(await send()).toEqual({ kind: "too_often" });
  clock.advance(DAY_MS);
  expect(await send()).toMatchObject({ kind: "handed_over" });
});

test("leaves the address in no column that can be read", async () => {
  const { send, runJobs } = await start();
  await send("zyxwarbler@example.com");
  await runJobs();
  for (const table of [
    "referral_requests",
    "patient_links",
    "step_up_codes",
    "notifications",
    "timeline",
    "outbox",
  ]) {
    const { rows } = await db.pool.query(`SELECT t::text AS text FROM ${table} t`);
    for (const { text } of rows) expect(text).not.toMatch(/zyxwarbler|7a7978776172626c6572/);
  }
});
