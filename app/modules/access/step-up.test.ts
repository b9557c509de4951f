import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { STRANGER } from "../../../test/database/invitation.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { MailError } from "../../clients/mail/smtp-mailer.ts";
import { MailUnclearError } from "../kernel/notification.ts";
import { lifetimeMs } from "../kernel/secret.ts";
import { stepUpState } from "./check-code.ts";
import { sendCode } from "./send-code.ts";

const db = await openTestDatabase();
const MINUTE_MS = 60_000;

async function start() {
  const world = await startLinked(db);
  const { mail, deliver, enter } = world;
  const delivered = await deliver();
  /** A link to the results, opened by a program. */
  const come = async () => {
    const secret = await mail("results_available");
    return { secret, viewer: await enter(secret), again: () => enter(secret) };
  };
  return { ...world, ...delivered, come };
}

test("opens results, report and form by a link once the mailed code was shown", async () => {
  const {
    come,
    read,
    open,
    resultId,
    report,
    form,
    sendCode: send,
    checkCode,
    code,
    mails,
  } = await start();
  const { viewer, again } = await come();
  expect(await read(viewer, resultId)).toBe("step_up_required");
  expect(await open(viewer, report)).toBe("step_up_required");
  expect(await open(viewer, form)).toBe("step_up_required");
  expect(await send(viewer)).toEqual({ kind: "sent", to: "s•••@example.com" });
  expect(mails.at(-1)).toMatchObject({ to: "sam@example.com", subject: "Your code" });
  expect(await checkCode(viewer, ` ${code().slice(0, 3)} ${code().slice(3)} `)).toEqual({
    kind: "accepted",
  });
  const stepped = await again();
  expect(await read(stepped, resultId)).toBe("opened");
  expect(await open(stepped, report)).toBe("opened");
  expect(await open(stepped, form)).toBe("opened");
});

test("says nothing of what was ordered or found in the mail with the code", async () => {
  const { come, sendCode: send, mails } = await start();
  await send((await come()).viewer);
  const { subject = "", text = "", html = "" } = mails.at(-1) ?? {};
  for (const words of [subject, text, html]) expect(words).not.toMatch(/result|test|patholog/i);
});

test("takes a code once, within ten minutes, and only the session's newest", async () => {
  const { shop, come, sendCode: send, checkCode, code, clock } = await start();
  const { viewer } = await come();
  expect(await checkCode(viewer, "123456")).toEqual({ kind: "no_code" });
  await send(viewer);
  clock.advance(lifetimeMs("step_up_code"));
  expect(await checkCode(viewer, code())).toEqual({ kind: "no_code" });
  await send(viewer);
  const older = code();
  clock.advance(20_000);
  await send(viewer);
  if (older !== code()) expect(await checkCode(viewer, older)).toEqual({ kind: "wrong" });
  expect(await checkCode(viewer, code())).toEqual({ kind: "accepted" });
  const left = "SELECT FROM step_up_codes WHERE shop = $1 AND ended_at IS NULL";
  const { rows } = await db.pool.query(left, [shop]);
  expect(rows).toEqual([]);
});

test("a code opens results for the session that showed it, and for no other of its recipient", async () => {
  const { come, mail, enter, deliver, other, read, resultId, ...codes } = await start();
  const { resultId: second } = await deliver(other);
  const secret = await mail("results_available", other);
  await enter(secret);
  const { viewer, again } = await come();
  await codes.sendCode(viewer);
  expect(await codes.checkCode(viewer, codes.code())).toEqual({ kind: "accepted" });
  expect(await read(await again(), resultId)).toBe("opened");
  expect(await read(await enter(secret), second)).toBe("step_up_required");
});

test("a code that is asked for by two presses is mailed once, and asked for again later anew", async () => {
  const { come, sendCode: send, checkCode, code, mails, clock } = await start();
  const { viewer } = await come();
  const before = mails.length;
  const asked = await Promise.all([send(viewer), send(viewer)]);
  for (const one of asked) expect(one).toEqual({ kind: "sent", to: "s•••@example.com" });
  expect(mails).toHaveLength(before + 1);
  clock.advance(20_000);
  await send(viewer);
  expect(mails).toHaveLength(before + 2);
  expect(await checkCode(viewer, code())).toEqual({ kind: "accepted" });
});

test("a code whose button is pressed twice is accepted both times", async () => {
  const { come, sendCode: send, checkCode, code } = await start();
  const { viewer } = await come();
  await send(viewer);
  const digits = code();
  const pressed = await Promise.all([1, 2, 3].map(() => checkCode(viewer, digits)));
  expect(pressed).toEqual(Array.from({ length: 3 }, () => ({ kind: "accepted" })));
});

test("what cannot be a code is no try, and a code is taken from any keyboard", async () => {
  const { come, sendCode: send, checkCode, code, wrong } = await start();
  const { viewer } = await come();
  await send(viewer);
  for (const typed of ["", " ", "12345", "1234567", "code", "null", "<script>"])
    expect(await checkCode(viewer, typed)).toEqual({ kind: "malformed" });
  for (let n = 0; n < 4; n++)
    expect(await checkCode(viewer, wrong(code()))).toEqual({ kind: "wrong" });
  const wide = [...code()].map((digit) => String.fromCharCode(0xff10 + Number(digit))).join("");
  expect(await checkCode(viewer, `${wide.slice(0, 3)}-${wide.slice(3)}`)).toEqual({
    kind: "accepted",
  });
});

test("takes a code in the session that asked for it, and in no other", async () => {
  const { come, enter, sendCode: send, checkCode, code, mail } = await start();
  const { viewer } = await come();
  await send(viewer);
  const asked = code();
  const other = await enter(await mail("results_available"));
  expect(await checkCode(other, asked)).toEqual({ kind: "no_code" });
  expect(await checkCode(viewer, asked)).toEqual({ kind: "accepted" });
});

test("counts wrong tries across links and new codes, then pauses the recipient for an hour", async () => {
  const { come, sendCode: send, checkCode, code, wrong, ports, shop, clock, id } = await start();
  const one = await come();
  await send(one.viewer);
  for (let n = 0; n < 3; n++)
    expect(await checkCode(one.viewer, wrong(code()))).toEqual({ kind: "wrong" });
  const two = await come();
  await send(two.viewer);
  expect(await checkCode(two.viewer, wrong(code()))).toEqual({ kind: "wrong" });
  expect(await checkCode(two.viewer, wrong(code()))).toMatchObject({ kind: "paused" });
  expect(await send(two.viewer)).toMatchObject({ kind: "paused" });
  // Also the right code, also by another link, and no new code either.
  const { rows } = await db.pool.query(
    "SELECT count(*)::int AS n FROM timeline WHERE kind = 'codes_used_up' AND request_id = $1",
    [id],
  );
  expect(rows).toEqual([{ n: 1 }]);
  // Each of the five is in the access log, which the patient reads too.
  const { rows: refused } = await db.pool.query(
    "SELECT who, count(*)::int AS n FROM access_log WHERE what = 'code_refused' AND request_id = $1 GROUP BY who",
    [id],
  );
  expect(refused).toEqual([{ who: "link", n: 5 }]);
  expect(await checkCode(two.viewer, code())).toMatchObject({ kind: "paused" });
  const three = await come();
  expect(await send(three.viewer)).toMatchObject({ kind: "paused" });
  expect(await stepUpState(ports, { shop, viewer: three.viewer })).toMatchObject({
    to: "s•••@example.com",
    pausedUntil: expect.any(Date),
  });
  clock.advance(61 * MINUTE_MS);
  expect(await send(three.viewer)).toMatchObject({ kind: "sent" });
  expect(await checkCode(three.viewer, code())).toEqual({ kind: "accepted" });
});

test("counts every try of many at one time", async () => {
  const { come, sendCode: send, checkCode, code, wrong } = await start();
  const { viewer } = await come();
  await send(viewer);
  const asked = code();
  const tries = await Promise.all(
    Array.from({ length: 12 }, () => checkCode(viewer, wrong(asked))),
  );
  expect(tries.filter(({ kind }) => kind === "wrong")).toHaveLength(4);
  expect(await checkCode(viewer, asked)).toMatchObject({ kind: "paused" });
});

test("mails five codes an hour, and does not count one that the mail server refused", async () => {
  const { come, sendCode: send, ports, shop, clock } = await start();
  const { viewer } = await come();
  const mailer = { send: () => Promise.reject(new MailError()) };
  expect(await sendCode({ ...ports, mailer }, { shop, viewer })).toEqual({ kind: "not_mailed" });
  for (let n = 0; n < 5; n++) {
    expect(await send(viewer)).toMatchObject({ kind: "sent" });
    clock.advance(20_000);
  }
  expect(await send(viewer)).toMatchObject({ kind: "paused" });
  clock.advance(61 * MINUTE_MS);
  expect(await send((await come()).viewer)).toMatchObject({ kind: "sent" });
});

test("a mail server that is silent holds nobody up, and the code counts until it is refused", async () => {
  const { come, checkCode, wrong, ports, shop } = await start();
  const { viewer } = await come();
  const scope = { shop, viewer };
  let code = "";
  const { promise: answer, reject: refuse } = Promise.withResolvers<string[]>();
  const mailer = {
    send(...[, { text }]: Parameters<typeof ports.mailer.send>) {
      code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
      return answer;
    },
  };
  const asked = await sendCode({ ...ports, mailer }, scope, 50);
  expect(asked).toEqual({ kind: "unclear", to: "s•••@example.com" });
  expect(await checkCode(viewer, wrong(code))).toEqual({ kind: "wrong" });
  refuse(new MailError());
  await expect.poll(async () => (await stepUpState(ports, scope))?.hasCode).toBe(false);
});

test("tries of a code that was not mailed after all count like others", async () => {
  const { come, checkCode, wrong, ports, shop } = await start();
  const { viewer } = await come();
  const outcomes: string[] = [];
  // The holder of a link to a mailbox that is no more asks again and again, and guesses before the server refuses.
  const mailer = {
    async send(...[, { text }]: Parameters<typeof ports.mailer.send>): Promise<string[]> {
      const code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
      outcomes.push((await checkCode(viewer, wrong(code))).kind);
      throw new MailError();
    },
  };
  for (let n = 0; n < 7; n++) await sendCode({ ...ports, mailer }, { shop, viewer });
  expect(outcomes).toEqual(["wrong", "wrong", "wrong", "wrong", "paused"]);
  expect((await stepUpState(ports, { shop, viewer }))?.hasCode).toBe(false);
});

test("a code whose mail the server never answered for opens, should it arrive", async () => {
  const { come, checkCode, ports, shop } = await start();
  const { viewer } = await come();
  let code = "";
  const mailer = {
    async send(...[, { text }]: Parameters<typeof ports.mailer.send>): Promise<string[]> {
      code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
      throw new MailUnclearError();
    },
  };
  expect(await sendCode({ ...ports, mailer }, { shop, viewer })).toMatchObject({ kind: "unclear" });
  expect(await checkCode(viewer, code)).toEqual({ kind: "accepted" });
});

test("keeps neither the digits nor the address in a column that can be read", async () => {
  const { come, sendCode: send, code } = await start();
  await send((await come()).viewer);
  for (const table of ["step_up_codes", "patient_links", "outbox", "timeline"]) {
    const { rows } = await db.pool.query(`SELECT t::text AS text FROM ${table} t`);
    for (const { text } of rows) expect(text).not.toMatch(new RegExp(`"${code()}"|sam@example`));
  }
});

test("asks a signed-in customer for no code", async () => {
  const { sendCode: send, checkCode, mails } = await start();
  const before = mails.length;
  expect(await send(STRANGER)).toEqual({ kind: "not_needed" });
  expect(await checkCode(STRANGER, "000000")).toEqual({ kind: "accepted" });
  expect(mails).toHaveLength(before);
});
