import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startLinked } from "../../../../test/database/linked-results.ts";
import type { Viewer } from "../../access/viewer.ts";
import type { NotificationKind } from "../../kernel/notification.ts";
import { queueMail } from "../../kernel/queue-mail.ts";

const db = await openTestDatabase();
const WINDOW_MS = 60_000;
const LINK = /https:\/\/app\.example\/t\/[a-z0-9-]+\.([\w-]{43})/g;

/** A guest's order of two units, and the emails about its news, which are gathered. */
async function start() {
  const world = await startLinked(db);
  const { shop, ports, clock, runJobs, mails } = world;
  ports.waits.mailWindowMs = WINDOW_MS;
  return {
    ...world,
    /** Tells news of these tests at once. Returns the one email, and its links in their sequence. */
    async tell(...news: [kind: NotificationKind, requestId: string, occurrence?: string][]) {
      clock.advance(1000);
      await db.tenancy.inShop(shop, async (tenant) => {
        for (const [kind, requestId, occurrence = ""] of news)
          await queueMail(tenant, { requestId, kind, occurrence }, { now: clock.now() });
      });
      await runJobs();
      clock.advance(WINDOW_MS);
      await runJobs();
      const [mail, ...others] = mails.splice(0);
      if (!mail || others.length > 0) throw new Error("Not one email");
      const tokens = [...mail.text.matchAll(LINK)].map(([, token]) => token ?? "");
      return { mail, tokens };
    },
    /** The links that the shop has, oldest first. */
    async links() {
      const { rows } = await db.pool.query(
        `SELECT request_id, purpose, mailed_at IS NOT NULL AS mailed, superseded_at IS NOT NULL AS superseded
         FROM patient_links WHERE shop = $1 ORDER BY created_at, purpose DESC, request_id`,
        [shop],
      );
      return rows;
    },
  };
}
const unitOf = (viewer: Viewer) => viewer.kind !== "customer" && viewer.link.requestId;

test("gives each test of an email a link of its own, which opens its purpose of its unit alone", async () => {
  const { id, other, deliver, tell, enter, open, read, links } = await start();
  const first = await deliver(id, { hasResults: false });
  const second = await deliver(other);
  const { mail, tokens } = await tell(["form_ready", id], ["results_available", other]);
  expect(tokens).toHaveLength(2);
  // The email leads with the results, whatever came first.
  const [results = "", form = ""] = tokens;
  expect(await links()).toEqual([
    { request_id: other, purpose: "results", mailed: true, superseded: false },
    { request_id: id, purpose: "form", mailed: true, superseded: false },
  ]);
  const ofForm = await enter(form);
  expect(unitOf(ofForm)).toBe(id);
  expect(await open(ofForm, first.form)).toBe("opened");
  expect(await open(ofForm, second.form)).toBe("other_purpose");
  expect(await read(ofForm, second.resultId)).toBe("other_purpose");
  const ofResults = await enter(results);
  expect(unitOf(ofResults)).toBe(other);
  expect(await read(ofResults, second.resultId)).toBe("step_up_required");
  expect(await open(ofResults, first.form)).toBe("other_purpose");
  // Both parts name the test beside each link, and the subject names nothing.
  expect(mail.text).toMatch(/Test 2 of 2: See what is new: https:[^ ]+\n/);
  expect(mail.text).toMatch(/Test 1 of 2: Open your form: https:[^ ]+\n/);
  for (const token of tokens) expect(mail.html.split(token)).toHaveLength(2);
  expect(mail.html).toMatch(/>Test 1 of 2: Open your form<\/a>/);
  expect(mail.text).toContain("These links are for you alone.");
});

test("ends each test's older link by its own newer one, and neither of one email by the other", async () => {
  const { id, other, deliver, tell, came, enter } = await start();
  for (const one of [id, other]) await deliver(one, { hasResults: false });
  const { tokens: older } = await tell(["form_ready", id], ["form_ready", other]);
  const { tokens: newer } = await tell(["form_corrected", id], ["form_corrected", other]);
  expect([older, newer].map(({ length }) => length)).toEqual([2, 2]);
  for (const token of older) expect(await came(token)).toBeNull();
  const units = [];
  for (const token of newer) units.push(unitOf(await enter(token)));
  expect(units.toSorted()).toEqual([id, other].toSorted());
});

test("lists tests by their number, whichever was noted first", async () => {
  const { id, other, deliver, tell } = await start();
  for (const one of [id, other]) await deliver(one, { hasResults: false });
  const { mail } = await tell(["form_ready", other], ["form_ready", id]);
  expect(mail.text).toMatch(/ready for you\.\nTest 1 of 2: .*\nTest 2 of 2: .*\n\n/);
});

test("tells tests of different products apart by their number in the order, where it names none", async () => {
  const { shop, id, other, deliver, tell } = await start();
  for (const one of [id, other]) await deliver(one, { hasResults: false });
  await db.pool.query(
    "UPDATE referral_requests SET title = 'Thyroid check' WHERE shop = $1 AND id = $2",
    [shop, other],
  );
  const { mail } = await tell(["form_ready", id], ["form_ready", other]);
  expect(mail.text).toMatch(/ready for you\.\nTest 1 of 2: .*\nTest 2 of 2: .*\n\n/);
  expect(mail.text).not.toContain("Thyroid");
});

test("keeps one link for a test of which an email tells two things", async () => {
  const { id, deliver, tell, links } = await start();
  await deliver(id, { hasResults: false });
  const { tokens, mail } = await tell(["form_ready", id], ["form_corrected", id]);
  expect(tokens).toHaveLength(1);
  expect(await links()).toHaveLength(1);
  for (const words of [
    "is ready for you.",
    "throw away the old form.",
    "This link is for you alone.",
  ])
    expect(mail.text).toContain(words);
});

test("names a test beside each of its news, and gives it one link among several tests", async () => {
  const { id, other, deliver, tell } = await start();
  for (const one of [id, other]) await deliver(one, { hasResults: false });
  const { tokens, mail } = await tell(
    ["form_ready", id],
    ["form_corrected", id],
    ["form_ready", other],
  );
  expect(tokens).toHaveLength(2);
  expect(mail.text).toMatch(
    /old form\.\nTest 1 of 2: Open your form: http.*\n\n.*ready for you\.\n/,
  );
  // Its link stands above: here it is named alone.
  expect(mail.text).toMatch(/ready for you\.\n(.*\n)?Test 1 of 2\n/);
  expect(mail.text).toMatch(/ready for you\.\n(.*\n)?Test 2 of 2: Open your form: http/);
});

test("says that each test has a form of its own, and how many tests", async () => {
  const { id, other, deliver, tell } = await start();
  for (const one of [id, other]) await deliver(one, { hasResults: false });
  const { mail } = await tell(["form_ready", id], ["form_ready", other]);
  expect(mail.subject).toMatch(/^2 tests: each form is ready \(#/);
  expect(mail.text).toContain("Each of these tests has a form of its own, which is ready for you.");
  const { mail: corrected } = await tell(["form_corrected", id], ["form_corrected", other]);
  expect(corrected.subject).toMatch(/^2 tests: each corrected form is ready \(#/);
  expect(corrected.text).toContain(
    "throw away their old forms.\nTest 1 of 2: Open your form: http",
  );
});

test("says of a form beside another one of its test what to do with both", async () => {
  const { id, other, deliver, tell } = await start();
  for (const one of [id, other]) await deliver(one, { hasResults: false });
  const { mail } = await tell(["form_ready", id, randomUUID()], ["form_ready", other]);
  expect(mail.subject).toMatch(/^News about your order \(#/);
  const words = "Please use only the forms that your page shows, and throw away any other.";
  expect(mail.text).toContain(`${words}\nTest 1 of 2: Open your form: http`);
  expect(mail.text).toContain(
    "The form for your order is ready for you.\nTest 2 of 2: Open your form: http",
  );
  const [one, two] = [`${randomUUID()} 2`, `${randomUUID()} 2`];
  const { mail: both } = await tell(["form_corrected", id, one], ["form_corrected", other, two]);
  expect(both.subject).toMatch(/^Your corrected form is ready \(#/);
  expect(both.text).toContain(`There is a new form for your order. ${words}\nTest 1 of 2: `);
  expect(both.text).not.toContain("old form");
});
