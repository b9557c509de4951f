/** Refusals of the create call alone: which wait for a proof and go on by themselves, and which ask a person, who is told what to do. */
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { startOddService } from "../../../../test/database/odd-service.ts";
import { describeFailure } from "../../../clients/referral-service/failures/describe-failure.ts";
import { answer } from "../../../clients/referral-service/testing/start-server.ts";
import { describeAttention } from "../../reports/attention-words.ts";

const db = await openTestDatabase();

const BODIES = ["nothing", "a page", "the service's own"] as const;
type Body = (typeof BODIES)[number];

/** A service that answers create calls like this, and shows an empty list. */
const refusing = (status: number, body: Body) =>
  startOddService(db, ({ method }, response) => {
    if (method !== "POST") return answer(response, 200, { cursor: {}, referrals: [] });
    if (body === "the service's own")
      return answer(response, status, { error: true, code: "ODD", message: "no", errorList: [] });
    return response.writeHead(status).end(body === "a page" ? "<h1>No</h1>" : undefined);
  });

const own = "the service's own";
const WAITS: [number, Body][] = [
  ...[403, 404].flatMap((status): [number, Body][] => [
    [status, "nothing"],
    [status, "a page"],
  ]),
  ...BODIES.map((body): [number, Body] => [409, body]),
];
const ASKS: [number, Body][] = [
  ...[403, 404].map((status): [number, Body] => [status, own]),
  ...[410, 413, 415, 422].flatMap((status) => BODIES.map((body): [number, Body] => [status, body])),
];

/** The code of a refusal: of a 403, the service's own says nothing by itself (interface §7.3). */
function codeOf(status: number, body: Body) {
  if (body !== own) return `HTTP_${status}`;
  return status === 403 ? "HTTP_403_ODD" : "ODD";
}

test.each(WAITS)(
  "%i with %s proves nothing: it is sent again once the list is empty",
  async (...how) => {
    const odd = await refusing(...how);
    expect(await odd.create()).toEqual({ kind: "ambiguous" });
    expect(await odd.find()).toMatchObject({ state: "ambiguous", stage: "in_progress" });
    expect(await odd.create()).toEqual({ kind: "not_due" });
    odd.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await odd.resolve()).toMatchObject({ kind: "scan_again" });
    expect(await odd.resolve()).toEqual({ kind: "resend" });
    expect(odd.creates()).toHaveLength(1);
    await odd.create();
    expect(odd.creates()).toHaveLength(2);
  },
);

test.each(ASKS)("%i with %s is a refusal: a person is told what to do", async (...how) => {
  const [status, body] = how;
  const odd = await refusing(...how);
  const code = codeOf(status, body);
  expect(await odd.create()).toEqual({ kind: "rejected", code });
  const request = await odd.find();
  expect(request).toMatchObject({ state: "rejected", stage: "attention" });
  expect(request?.reason).toEqual({ code: "rejected", detail: code });
  if (!request?.reason) throw new Error("no reason");
  const { sentence, nextStep } = describeAttention(request.reason, describeFailure);
  // No mapping and no patient's details change what an organisation may do.
  if (status === 403) expect(sentence).toMatch(/doesn’t let it order/);
  expect(nextStep).toMatch(
    status === 403
      ? /^Check in the service that your organisation may order.*service’s support.*Retry\.$/
      : /retry\..*service’s support/,
  );
  expect(await odd.create()).toEqual({ kind: "not_due" });
  expect(odd.creates()).toHaveLength(1);
});
