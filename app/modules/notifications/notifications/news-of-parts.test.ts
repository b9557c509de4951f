import { describe, expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { storeOrder } from "../../../../test/database/seed.ts";
import type { CreateBehaviour } from "../../../../test/database/small-service.ts";
import { type DatedResult, resultSnapshot } from "../../../../test/database/snapshots.ts";
import { refetchReferral } from "../../referrals/referrals/refetch-referral.ts";
import type { ReferralPart } from "../../referrals/request.ts";
import { refetchResult } from "../../referrals/results/refetch-result.ts";

const db = await openTestDatabase();
const WINDOW_MS = 60_000;
const FORM_BACK_MS = 10 * 60_000;

/** A unit with two referrals, what the service says of each, and the emails that its buyer gets. */
async function start(behaviour: CreateBehaviour = "create") {
  const created = await startCreated(db, {
    ...{ items: BOTH_PARTS, behaviour },
    settings: { releasePolicy: "automatic" },
  });
  const { shop, clock, service, find, referrals } = created;
  const orderId = (await find())?.orderId ?? storeOrder().id;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder({ id: orderId }), new Map(), clock.now()),
  );
  const run = mailRun(db, shop, clock);
  run.ports.waits.mailWindowMs = WINDOW_MS;
  const real = await created.ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const results = new Map<string, DatedResult>();
  const getResult = async (uuid: string) => results.get(uuid) ?? null;
  const ports = {
    ...created.ports,
    waits: { ...created.ports.waits, mailWindowMs: WINDOW_MS },
    services: { forConnection: async () => ({ ...real, getResult }) },
    attachments: {
      download: async (url: string) => ({
        kind: "pdf" as const,
        bytes: Buffer.from(`%PDF-1.7 ${url}`),
      }),
    },
  };
  const uuidOf = async (part: ReferralPart) =>
    (await referrals()).find(({ medicare }) => medicare === (part === "medicare"))?.uuid ?? "";
  return {
    clock,
    create: created.create,
    resolve: created.resolve,
    /** Something that happens while the next email is on its way. */
    meanwhile(happens: () => Promise<void>) {
      const { mailer } = run.ports;
      run.ports.mailer = {
        async send(...mail) {
          run.ports.mailer = mailer;
          await happens();
          return mailer.send(...mail);
        },
      };
    },
    /** The service has changed the referral of a part. */
    async becomes(part: ReferralPart, fields: Record<string, unknown>) {
      const uuid = await uuidOf(part);
      clock.advance(1_000);
      service.set(uuid, fields);
      await refetchReferral(ports, { shop, environment: "staging", uuid });
    },
    /** The laboratory has reported on a part. Answers the result. */
    async reports(part: ReferralPart, fields: Partial<DatedResult> = {}) {
      clock.advance(1_000);
      const referralUuid = await uuidOf(part);
      const result = resultSnapshot({
        ...{ referralUuid, resultAttachment: null, status: "COMPLETE" },
        biomarkerSummary: { normal: 9, abnormal: 0, critical: 0, total: 9 },
        ...fields,
        updatedAt: clock.now().toISOString(),
      });
      results.set(result.uuid, result);
      await refetchResult(ports, { shop, environment: "staging", uuid: result.uuid });
      return result;
    },
    /** The emails to the buyer since the last look, once the window has passed. */
    async told(afterMs = WINDOW_MS) {
      await run.runJobs();
      clock.advance(afterMs);
      await run.runJobs();
      return run.mails.splice(0).filter(({ to }) => to === "sam@example.com");
    },
  };
}

const issued = (version = 1) => ({
  status: "ISSUED",
  referralAttachment: `https://service.example/form-${version}.pdf`,
});
const ISSUED = issued();
const DELETED = { deletedAt: "2026-11-20T01:00:00.000Z" };
const RESULTS = "There is something new for your order.";
const OTHER = { commercial: "medicare", medicare: "commercial" } as const;

describe.each(["commercial", "medicare"] as const)("beside the results of the %s part", (part) => {
  const other = OTHER[part];

  /** Both forms were told of. */
  async function startIssued() {
    const one = await start();
    await one.becomes("commercial", ISSUED);
    await one.becomes("medicare", ISSUED);
    expect(await one.told()).toHaveLength(1);
    return one;
  }

  test.each([
    [{ status: "FAILED_TEST" }, "Please do not use its form again."],
    [{ status: "INSUFFICIENT_DATA" }, "Please do not use its form."],
    [{ status: "BILLING_FAILED" }, "Please don’t use the form of your order yet."],
    [{ status: "TRANSFERRED" }, "Please do not use its form."],
    [{ status: "REFUNDED" }, "If you have its form, please throw it away."],
    [{ status: "PENDING_VERIFICATION" }, "is waiting for one more check."],
    [{ status: "SOMETHING_NEW" }, "please contact us before you do."],
    [DELETED, "One of the forms of your order is not valid any more."],
  ])("the other one's %o is told", async (fields, words) => {
    const { becomes, reports, told } = await startIssued();
    await becomes(other, fields);
    await reports(part);
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail?.text).toContain(words);
    expect(mail?.text).toContain(RESULTS);
    expect(await told()).toEqual([]);
  });

  test("the other one's form is told to be of use again", async () => {
    const { becomes, reports, told, clock } = await startIssued();
    await becomes(other, { status: "BILLING_FAILED" });
    expect(await told()).toHaveLength(1);
    await becomes(other, ISSUED);
    clock.advance(FORM_BACK_MS);
    await reports(part);
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail?.text).toContain("It can be used after all");
    expect(mail?.text).toContain(RESULTS);
  });

  test("the other one's result is told to be checked, or to be there in part", async () => {
    const { reports, told } = await startIssued();
    await reports(other, { status: "IN_REVIEW" });
    await reports(part);
    expect((await told()).map(({ text }) => text)).toEqual([
      expect.stringMatching(/There is something new[\s\S]*We check it before you can see it/),
    ]);
    const one = await startIssued();
    await one.reports(other, { status: "PARTIAL" });
    await one.reports(part);
    expect((await one.told()).map(({ text }) => text)).toEqual([
      expect.stringContaining("It is not everything yet"),
    ]);
  });

  test("the other one's form is told to be ready, and the own one's is not", async () => {
    const one = await start();
    await one.becomes(other, ISSUED);
    await one.becomes(part, ISSUED);
    await one.reports(part);
    const [mail, ...more] = await one.told();
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/form for your order is ready/);
    expect(mail?.text).toContain(RESULTS);
    const own = await start();
    await own.becomes(part, ISSUED);
    await own.reports(part);
    expect((await own.told()).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^There is something new for you to see/),
    ]);
  });

  test("what was said of its own referral or result is told no more", async () => {
    const { becomes, reports, told } = await startIssued();
    await becomes(part, { status: "BILLING_FAILED" });
    const { uuid } = await reports(part, { status: "IN_REVIEW" });
    await reports(part, { uuid });
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^There is something new for you to see/);
    expect(mail?.text).not.toMatch(/use the form|We check it/);
  });
});

test("nobody is asked to open a critical result today that was taken away before its email went out", async () => {
  const { reports, told } = await start();
  await reports("medicare");
  const critical = { biomarkerSummary: { normal: 8, abnormal: 1, critical: 1, total: 9 } };
  const { uuid } = await reports("commercial", critical);
  await reports("commercial", { uuid, ...critical, status: "IN_REVIEW" });
  const [mail, ...more] = await told();
  expect(more).toEqual([]);
  expect(mail?.subject).toMatch(/^There is something new for you to see/);
  await reports("commercial", { uuid, ...critical });
  expect((await told()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Please open your results today/),
  ]);
});

describe.each(["commercial", "medicare"] as const)("of two forms, the %s one first,", (part) => {
  const other = OTHER[part];
  const READY = expect.stringMatching(/^Your form is ready: .*is ready for you/s);
  const ANOTHER = expect.stringMatching(/^Another form is ready: .*only the forms that your page/s);
  const CORRECTED = expect.stringMatching(
    /^Your corrected form is ready: .*only the forms that your page shows/s,
  );
  type Started = Awaited<ReturnType<typeof start>>;
  const read = async ({ told }: Started, afterMs?: number) =>
    (await told(afterMs)).map(({ subject, text }) => `${subject.replace(/ \(.*/, "")}: ${text}`);
  const correct = async (one: Started, corrected: ReferralPart, version: number) => {
    await one.becomes(corrected, { status: "SCHEDULED_REISSUE", referralAttachment: null });
    await one.becomes(corrected, issued(version));
  };

  test("both are told in one email where they come together", async () => {
    const one = await start();
    await one.becomes(part, ISSUED);
    await one.becomes(other, ISSUED);
    const mails = await read(one);
    expect(mails).toEqual([READY]);
    expect(mails[0]).toContain("Open your form: ");
    expect(await read(one)).toEqual([]);
  });

  test("the second is told after the first one's email was sent, once", async () => {
    const one = await start();
    await one.becomes(part, ISSUED);
    expect(await read(one)).toEqual([READY]);
    await one.becomes(other, ISSUED);
    expect(await read(one)).toEqual([ANOTHER]);
    await one.becomes(other, ISSUED);
    expect(await read(one)).toEqual([]);
  });

  test("the second is told that comes while the first one's email is on its way", async () => {
    const one = await start();
    await one.becomes(part, ISSUED);
    one.meanwhile(() => one.becomes(other, ISSUED));
    expect(await read(one)).toEqual([READY]);
    expect(await read(one)).toEqual([ANOTHER]);
  });

  test("the second is told whose referral was made alone, later", async () => {
    const one = await start(part === "commercial" ? "create_half" : "create_medicare_half");
    await one.becomes(part, ISSUED);
    expect(await read(one)).toEqual([READY]);
    expect(await one.resolve()).toMatchObject({ kind: "scan_again" });
    one.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await one.resolve()).toEqual({ kind: "resend" });
    expect(await one.create()).toMatchObject({ kind: "created" });
    await one.becomes(other, ISSUED);
    expect(await read(one)).toEqual([ANOTHER]);
  });

  test("each one's correction is told, in one email where they come together", async () => {
    const one = await start();
    await one.becomes(part, ISSUED);
    await one.becomes(other, ISSUED);
    expect(await read(one)).toEqual([READY]);
    await correct(one, part, 2);
    expect(await read(one)).toEqual([CORRECTED]);
    await correct(one, other, 2);
    expect(await read(one)).toEqual([CORRECTED]);
    await correct(one, part, 3);
    await correct(one, other, 3);
    expect(await read(one)).toEqual([CORRECTED]);
    expect(await read(one)).toEqual([]);
  });

  test("each is told to be of use again, or to be ready, by itself", async () => {
    const one = await start();
    await one.becomes(part, ISSUED);
    expect(await read(one)).toEqual([READY]);
    await one.becomes(other, ISSUED);
    await one.becomes(other, { status: "BILLING_FAILED" });
    const off = expect.stringMatching(/^Please don’t use your form yet: /);
    expect(await read(one)).toEqual([off]);
    await one.becomes(part, { status: "BILLING_FAILED" });
    expect(await read(one)).toEqual([off]);
    await one.becomes(part, ISSUED);
    expect(await read(one, WINDOW_MS + FORM_BACK_MS)).toEqual([
      expect.stringMatching(/^You can use the form of your order: /),
    ]);
    await one.becomes(other, ISSUED);
    expect(await read(one)).toEqual([ANOTHER]);
  });
});
