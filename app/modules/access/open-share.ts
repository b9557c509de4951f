import { typedCode } from "../../platform/typed-digits.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { equalSecrets, hashSecret, isInItsTime, lifetimeMs } from "../kernel/secret.ts";
import type { Document } from "../referrals/document.ts";
import { gatherFacts, isVisible } from "../referrals/request-facts.ts";
import { documentFileName } from "./document-file-name.ts";
import { loadDocument, type OpenedDocument } from "./open-document.ts";
import { type ResultView, viewResult } from "./open-result.ts";
import type { Ports } from "./ports.ts";
import { hasShareEnded, pausedShareUntil, type ResultShare } from "./share.ts";
import { sharedResult } from "./shared-result.ts";
import type { Tenant } from "./tenant.ts";
import { ALONE, NOBODY, whoseTests } from "./whose-test.ts";

type SharePorts = Pick<Ports, "tenancy" | "clock">;
interface ShareAddress {
  shop: ShopDomain;
  token: string;
}

/** What a doctor sees: one result, its report, and nothing else of its owner. */
export interface SharedResult {
  view: ResultView;
  /** The current report; null where there is none. */
  report: Pick<Document, "id" | "kind" | "version" | "partial"> | null;
  expiresAt: Date;
}

export type OpenShareOutcome =
  | { kind: "opened"; shared: SharedResult; visit: string }
  | { kind: "wrong" }
  /** The typed text has not the form of a passcode, so that it is no try. */
  | { kind: "malformed" }
  | { kind: "paused"; until: Date }
  /** It never was, has ended, or its result is shown no more. */
  | { kind: "gone" };

/** Whether a passcode can be shown at this address. Looking says nothing of the result. */
export async function isShareOpen(ports: SharePorts, address: ShareAddress): Promise<boolean> {
  return (await within(ports, address, async () => true)) ?? false;
}

const PASSCODE_DIGITS = 8;

/** Opens a share with its passcode. Wrong ones are counted for the share, whoever tries them. */
export async function openShare(
  ports: SharePorts,
  { passcode, ...address }: ShareAddress & { passcode: string },
): Promise<OpenShareOutcome> {
  const outcome = await within(ports, address, async (tenant, found): Promise<OpenShareOutcome> => {
    const { share, now } = found;
    const until = pausedShareUntil(share, now);
    if (until) return { kind: "paused", until };
    const digits = typedCode(passcode, PASSCODE_DIGITS);
    if (digits.length !== PASSCODE_DIGITS || /\D/.test(digits)) return { kind: "malformed" };
    const secret = await tenant.shares.secretOf(share.id);
    if (!secret || !equalSecrets(digits, secret.passcode)) {
      await tenant.shares.countFailure(share.id, now);
      const refused = { who: "share", what: "code_refused", requestId: share.requestId } as const;
      await tenant.accessLog.add({ ...refused, subjectId: share.id, at: now });
      const counted = { failedTries: share.failedTries + 1, lastFailedAt: now };
      const next = pausedShareUntil(counted, now);
      return next ? { kind: "paused", until: next } : { kind: "wrong" };
    }
    const shared = await show(tenant, found);
    return shared ? { kind: "opened", shared, visit: newVisit(tenant, share, now) } : GONE;
  });
  return outcome ?? GONE;
}

const GONE = { kind: "gone" } as const;

/** The same for a browser that has shown the passcode; null without, or when the share is over. */
export async function reopenShare(
  ports: SharePorts,
  { visit, ...address }: ShareAddress & { visit: string },
): Promise<SharedResult | null> {
  return within(ports, address, async (tenant, found) =>
    isVisit(tenant, found, visit) ? show(tenant, found) : null,
  );
}

/** Whether a browser has shown the passcode, and its two hours go on. No look is written down. */
export async function hasShareVisit(
  ports: SharePorts,
  { visit, ...address }: ShareAddress & { visit: string },
): Promise<boolean> {
  const goesOn = await within(ports, address, async (tenant, found) =>
    isVisit(tenant, found, visit),
  );
  return goesOn ?? false;
}

/** The report of the shared result, for a browser that has shown the passcode. */
export async function openSharedReport(
  ports: SharePorts & Pick<Ports, "documentBodies">,
  { visit, documentId, ...address }: ShareAddress & { visit: string; documentId: string },
): Promise<OpenedDocument | null> {
  const placed = await within(ports, address, async (tenant, found) => {
    if (!isVisit(tenant, found, visit)) return null;
    const { request, share } = found;
    if ((await reportOf(tenant, found))?.id !== documentId) return null;
    const document = await tenant.documents.find(documentId);
    const body = await tenant.documents.body(documentId);
    if (!document || !body) return null;
    const entry = { who: "share", what: "report_opened", requestId: request.id } as const;
    await tenant.accessLog.add({ ...entry, subjectId: share.id, at: found.now });
    const whose = (await whoseTests(tenant, [request])).get(request.id) ?? NOBODY;
    return { documentId, fileName: documentFileName({ ...document, ...whose, unit: ALONE }), body };
  });
  return loadDocument(ports, address.shop, placed);
}

type Found = NonNullable<Awaited<ReturnType<typeof sharedResult>>> & {
  share: ResultShare;
  now: Date;
};

/** Runs `work` for a share that opens something now; null for every other. */
async function within<T>(
  { tenancy, clock }: SharePorts,
  { shop, token }: ShareAddress,
  work: (tenant: Tenant, found: Found) => Promise<T>,
): Promise<T | null> {
  return tenancy.inKnownShop(shop, async (tenant) => {
    const now = clock.now();
    const share = await tenant.shares.findByTokenForUpdate(hashSecret(token));
    if (!share || hasShareEnded(share, now)) return null;
    const shared = await sharedResult(tenant, share);
    return shared && work(tenant, { ...shared, share, now });
  });
}

/** Arranges the result without its owner's earlier ones, and writes the look down. */
async function show(tenant: Tenant, found: Found): Promise<SharedResult | null> {
  const { request, stored, share, now } = found;
  const view = await viewResult(tenant, { viewer: null, request, stored });
  if (!view) return null;
  const entry = { who: "share", what: "share_opened", requestId: request.id } as const;
  await tenant.accessLog.add({ ...entry, subjectId: share.id, at: now });
  const report = (await reportOf(tenant, found)) ?? null;
  return { view, report, expiresAt: share.expiresAt };
}

async function reportOf(tenant: Tenant, { request, stored }: Found) {
  const [facts] = await gatherFacts(tenant, [request]);
  return facts?.documents.find(
    (one) => one.kind === "result" && one.sourceUuid === stored.uuid && isVisible(one, facts),
  );
}

/** The end of the visit and its proof: nothing of it is stored, and it opens nothing once the share has ended. */
function newVisit(tenant: Tenant, { id }: ResultShare, now: Date): string {
  const end = now.getTime() + lifetimeMs("guest_session");
  return `${end}.${tenant.shares.visitProof(id, end).toString("base64url")}`;
}

function isVisit(tenant: Tenant, { share, now }: Found, visit: string): boolean {
  const [, end, proof] = /^(\d{13})\.([\w-]+)$/.exec(visit) ?? [];
  if (!end || !proof || !isInItsTime("guest_session", new Date(Number(end)), now)) return false;
  return equalSecrets(
    tenant.shares.visitProof(share.id, Number(end)),
    Buffer.from(proof, "base64url"),
  );
}
