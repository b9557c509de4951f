import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, STRANGER, startInvitation } from "../../../test/database/invitation.ts";
import { cleanUp } from "../privacy/clean-up.ts";
import { revokeInvitation } from "./invite-patient.ts";
import { keepAnswers, keepLateAnswers, keptAnswers } from "./keep-answers.ts";
import { endSession } from "./open-link.ts";
import { renewLink } from "./renew-link.ts";
import type { Viewer } from "./viewer.ts";

const db = await openTestDatabase();
const ANSWERS = { firstName: "Ngaire", dob: "1990--03" };
const HOUR = 3_600_000;

async function start() {
  const invitation = await startInvitation(db);
  const { ports, shop, id, mails, token, open, runJobs } = invitation;
  return {
    ...invitation,
    keep: (viewer: Viewer, requestId = id) =>
      keepAnswers(ports, { shop, viewer, requestId, answers: ANSWERS }),
    kept: (viewer: Viewer, requestId = id) => keptAnswers(ports, { shop, viewer, requestId }),
    late: (secret: string, requestId = id) =>
      keepLateAnswers(ports, { shop, secret, requestId, answers: ANSWERS }),
    rows: async () =>
      (await db.pool.query("SELECT * FROM details_drafts WHERE shop = $1", [shop])).rows,
    /** Lets the patient in by the last mail. */
    session: async () => {
      await runJobs();
      const session = await open(token(mails.at(-1)));
      if (!session) throw new Error("The link let nobody in");
      return session;
    },
  };
}

test("keeps answers sealed for whoever typed them, until the details are saved", async () => {
  const { keep, kept, give, rows, id, other } = await start();
  await keep(BUYER);
  expect(await kept(BUYER)).toEqual(ANSWERS);
  expect(await kept(BUYER, other)).toBeNull();
  expect(await kept(STRANGER)).toBeNull();
  await keep(STRANGER, other);
  expect(await rows()).toHaveLength(1);
  const [row] = await rows();
  const stored = `${JSON.stringify(row)} ${row.answers_sealed.toString("latin1")}`;
  for (const secret of ["Ngaire", "1990--03", "Customer"]) expect(stored).not.toContain(secret);

  await give(BUYER, id);
  expect(await rows()).toEqual([]);
});

test("forgets them after a day", async () => {
  const { keep, kept, rows, ports, shop, clock } = await start();
  await keep(BUYER);
  clock.advance(24 * HOUR - 1);
  expect(await kept(BUYER)).toEqual(ANSWERS);
  clock.advance(1);
  expect(await kept(BUYER)).toBeNull();
  clock.advance(1);
  await cleanUp(ports, shop);
  expect(await rows()).toEqual([]);
});

test("shows a buyer's answers to no patient, and a patient's to no buyer", async () => {
  const { keep, kept, send, enter, ports, shop, id } = await start();
  await keep(BUYER);
  await send();
  const patient = await enter();
  expect(await kept(patient)).toBeNull();
  await keep(patient);
  await revokeInvitation(ports, { shop, viewer: BUYER, requestId: id });
  expect(await kept(BUYER)).toBeNull();
});

test("keeps what is sent after the session ended, and shows it behind a new link alone", async () => {
  const { late, kept, send, session, viewerOf, enter, clock, ports, shop, id, other } =
    await start();
  await send();
  const { secret, linkId } = await session();
  // A session that goes on saves details, and needs no rescue.
  expect(await late(secret)).toBe(false);
  clock.advance(3 * HOUR);
  expect(await viewerOf(secret)).toBeNull();
  expect(await late(secret, other)).toBe(false);
  expect(await late("x".repeat(43))).toBe(false);
  expect(await late(secret, id)).toBe(true);
  expect(await viewerOf(secret)).toBeNull();

  await renewLink(ports, { shop, by: { linkId } });
  expect(await kept(await enter())).toEqual(ANSWERS);
});

test.each([
  ["that its visitor ended", true, 3 * HOUR],
  ["that ended a day ago", false, 25 * HOUR],
])("takes nothing from a session %s", async (_, isEnded, passed) => {
  const { late, send, session, rows, ports, shop, clock } = await start();
  await send();
  const { secret } = await session();
  if (isEnded) await endSession(ports, { shop, secret });
  clock.advance(passed);
  expect(await late(secret)).toBe(false);
  expect(await rows()).toEqual([]);
});
