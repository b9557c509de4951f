import { createHash, randomUUID } from "node:crypto";
import { checkCode } from "../../app/modules/access/check-code.ts";
import { LinkRefused } from "../../app/modules/access/link-access.ts";
import { openDocument } from "../../app/modules/access/open-document.ts";
import { recogniseToken } from "../../app/modules/access/open-link.ts";
import { openResult } from "../../app/modules/access/open-result.ts";
import { sendCode } from "../../app/modules/access/send-code.ts";
import type { Viewer } from "../../app/modules/access/viewer.ts";
import type { NotificationKind } from "../../app/modules/kernel/notification.ts";
import type { DocumentKind } from "../../app/modules/referrals/document.ts";
import { createLogger } from "../../app/platform/logger.ts";
import { START } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { STRANGER, startInvitation } from "./invitation.ts";
import { putRequest } from "./put-request.ts";
import { referralSnapshot, resultSnapshot } from "./snapshots.ts";

/** A guest's order of two units, the mails about it, and what becomes of it. */
export async function startLinked(db: TestDatabase) {
  const world = await startInvitation(db, { guest: true });
  const { shop, runJobs, mails, clock, id, token } = world;
  const ports = { ...world.ports, logger: createLogger("silent") };

  /** Mails about a unit, and answers the token of its link. */
  async function mail(kind: NotificationKind, requestId = id): Promise<string> {
    clock.advance(1000);
    const due = { requestId, kind, occurrence: randomUUID() };
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.notifications.note(due, clock.now());
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
    });
    await runJobs();
    return token(mails.at(-1));
  }
  /** The unit was ordered: its form is there, and its results are released where there are any. */
  async function deliver(requestId = id, { hasResults = true } = {}) {
    const referral = referralSnapshot();
    const result = resultSnapshot({ referralUuid: referral.uuid });
    const ids = await db.tenancy.inShop(shop, async (tenant) => {
      await putRequest(tenant, requestId, { state: "created" });
      await tenant.referrals.save("staging", requestId, referral, START);
      const at = clock.now();
      const store = async (kind: DocumentKind, sourceUuid: string) => {
        const pdf = Buffer.from(`%PDF-1.7 ${kind}`);
        const sha256 = createHash("sha256").update(pdf).digest("hex");
        const own = { id: randomUUID(), requestId, customerId: null, bytes: pdf.length, sha256 };
        await tenant.documents.store({ ...own, kind, sourceUuid, partial: false }, pdf, at);
        return own.id;
      };
      const form = await store("referral", referral.uuid);
      if (!hasResults) return { form, report: "" };
      const released = { partial: false, inReview: false, otherPerson: false, releasedAt: at, at };
      const saved = { environment: "staging", requestId, snapshot: result, ...released } as const;
      await tenant.results.save(saved);
      return { form, report: await store("result", result.uuid) };
    });
    return { ...ids, resultId: result.uuid };
  }
  const came = (secret: string) => recogniseToken(ports, { shop, token: secret });
  /** Enters by a link's own token; throws when it lets nobody in. */
  async function enter(secret: string): Promise<Viewer> {
    const viewer = await came(secret);
    if (!viewer) throw new Error("The link let nobody in");
    return viewer;
  }
  const told = async (opening: Promise<unknown>): Promise<string> => {
    try {
      return (await opening) ? "opened" : "not found";
    } catch (error) {
      if (error instanceof LinkRefused) return error.code;
      throw error;
    }
  };
  return {
    ...world,
    ports,
    mail,
    deliver,
    came,
    enter,
    told,
    read: (viewer: Viewer, resultId: string) => told(openResult(ports, { shop, viewer, resultId })),
    open: (viewer: Viewer, documentId: string) =>
      told(openDocument(ports, { shop, viewer, documentId })),
    sendCode: (viewer: Viewer) => sendCode(ports, { shop, viewer }),
    checkCode: (viewer: Viewer, code: string) => checkCode(ports, { shop, viewer, code }),
    /** The digits in the newest mail. */
    code: () => /\b\d{6}\b/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "",
    /** A code that is certainly not the one that was mailed. */
    wrong: (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0"),
    STRANGER,
  };
}
