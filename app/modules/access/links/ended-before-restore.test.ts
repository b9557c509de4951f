import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { BUYER } from "../../../../test/database/invitation.ts";
import { startRestorable } from "../../../../test/database/restorable.ts";
import { invitePatient, revokeInvitation } from "../invite-patient.ts";
import { openLink, recogniseToken, whyClosed } from "../open-link.ts";
import { isShareOpen } from "../open-share.ts";
import { renewLink } from "../renew-link.ts";
import { endShare, shareResult } from "../share-result.ts";

const opened = await openTestDatabase();
/** A backup has what a link was, and whose a unit was. */
const KEPT = {
  patient_links: ["used_at", "superseded_at", "revoked_at"],
  result_shares: ["revoked_at"],
  referral_requests: ["owner", "invited_email_sealed", "invited_at"],
};

async function start() {
  const world = await startRestorable(opened, KEPT);
  const { shop, ports } = world;
  return { ...world, endOf: (token: string) => whyClosed(ports, { shop, token }) };
}

test("keeps a link shut after a restore that was used since the backup, in a browser or as bearer", async () => {
  const { shop, ports, mail, id, other, backsUp, restores, endOf } = await start();
  const tokens = [await mail("correction_refused"), await mail("correction_refused", other)];
  const [inBrowser = "", asBearer = ""] = tokens;
  expect(id).not.toBe(other);
  await backsUp();
  expect(await openLink(ports, { shop, token: inBrowser })).not.toBeNull();
  expect(await recogniseToken(ports, { shop, token: asBearer })).not.toBeNull();
  await restores();
  for (const token of tokens) {
    expect(await openLink(ports, { shop, token })).toBeNull();
    expect(await recogniseToken(ports, { shop, token })).toBeNull();
    expect(await endOf(token)).toBe("used");
  }
});

test("keeps a link shut after a restore that a newer one replaced since the backup", async () => {
  const { shop, ports, clock, mail, mails, token, runJobs, backsUp, restores, endOf } =
    await start();
  const older = await mail("details_needed");
  await backsUp();
  clock.advance(60_000);
  await mail("details_needed");
  await restores();
  expect(await endOf(older)).toBe("superseded");
  expect(await openLink(ports, { shop, token: older })).toBeNull();
  // Its page mails the reader a new one, as before.
  await renewLink(ports, { shop, by: { token: older } });
  await runJobs();
  expect(await endOf(token(mails.at(-1)))).toBeNull();
});

test.each(["taken back", "sent to another address"] as const)(
  "keeps an invitation shut after a restore that was %s since the backup, and mails no link for it",
  async (how) => {
    const { shop, ports, id, mails, token, runJobs, mail, backsUp, restores, endOf } =
      await start();
    const guest = await mail("details_needed");
    const viewer = (await recogniseToken(ports, { shop, token: guest })) ?? BUYER;
    const invites = (email: string) => invitePatient(ports, { shop, viewer, requestId: id, email });
    expect(await invites("typo@example.com")).toMatchObject({ kind: "handed_over" });
    await runJobs();
    const withdrawn = token(mails.at(-1));
    await backsUp();
    if (how === "taken back") await revokeInvitation(ports, { shop, viewer, requestId: id });
    else await invites("pat@example.com");
    await runJobs();
    await restores();
    expect(await endOf(withdrawn)).toBe("revoked");
    expect(await openLink(ports, { shop, token: withdrawn })).toBeNull();
    const sent = mails.length;
    await renewLink(ports, { shop, by: { token: withdrawn } });
    await runJobs();
    expect(mails).toHaveLength(sent);
  },
);

test("keeps a share shut after a restore that its owner ended since the backup", async () => {
  const { shop, ports, deliver, mail, sendCode, enter, checkCode, code, backsUp, restores } =
    await start();
  const { resultId } = await deliver();
  const token = await mail("results_available");
  await sendCode(await enter(token));
  await checkCode(await enter(token), code());
  const viewer = await enter(token);
  const outcome = await shareResult(ports, { shop, viewer, resultId, days: undefined });
  if (outcome.kind !== "shared") return expect.unreachable(outcome.kind);
  const at = { shop, token: outcome.share.token };
  expect(await isShareOpen(ports, at)).toBe(true);
  await backsUp();
  await endShare(ports, { shop, viewer, shareId: outcome.share.id });
  await restores();
  expect(await isShareOpen(ports, at)).toBe(false);
});

test("opens a link after a restore that was waiting in a mailbox", async () => {
  const { shop, ports, mail, backsUp, restores } = await start();
  const token = await mail("details_needed");
  await backsUp();
  await restores();
  expect(await openLink(ports, { shop, token })).not.toBeNull();
});
