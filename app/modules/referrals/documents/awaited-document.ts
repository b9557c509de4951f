import type { ShopDomain } from "../../kernel/ids.ts";
import { apply } from "../apply.ts";
import type { DocumentKind } from "../document.ts";
import { isOfDocuments } from "../ledger/reasons.ts";
import type { Ports } from "../ports.ts";
import type { ReferralRequest } from "../request.ts";
import type { Tenant } from "../tenant.ts";

/** A PDF that should be here: of a referral or result by its uuid at the service. */
export interface Awaited {
  shop: ShopDomain;
  request: ReferralRequest;
  kind: DocumentKind;
  sourceUuid: string;
}

/** The host that a PDF would have to come from and may not, or null. */
type Trouble = { refusedHost: string | null };

/**
 * No event tells that a PDF was made (interface §6), so it is looked for after these times: seconds, then minutes. The
 * maintenance looks for what is missing after that.
 */
export const LOOKS_MS = [5_000, 15_000, 45_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 20 * 60_000];

type AwaitPorts = Pick<Ports, "tenancy" | "clock" | "waits">;

/** The service gave no address of a PDF that is to come: it is looked for again, and a form told to a person if it never comes. */
export async function awaitDocument(ports: AwaitPorts, awaited: Awaited): Promise<void> {
  await ports.tenancy.inShop(awaited.shop, async (tenant) => {
    const now = ports.clock.now();
    const since = await tenant.documents.awaitPdf(sourceOf(awaited), now);
    if (!since) return;
    await lookAgain(tenant, awaited, { since, now, afterMs: LOOKS_MS });
    // A result may be without a PDF for good (interface §2.2). A referral gets one by itself (§3).
    if (awaited.kind === "referral") await tellWhenOverdue(ports, tenant, awaited, { since, now });
  });
}

/**
 * The PDF cannot be had from its address. A person is told at once when its host is not allowed, and otherwise when it
 * has been missing for too long. Whoever called tries again by itself.
 */
export async function recordUnavailable(
  ports: AwaitPorts,
  awaited: Awaited,
  { refusedHost }: Trouble,
): Promise<void> {
  await ports.tenancy.inShop(awaited.shop, async (tenant) => {
    const now = ports.clock.now();
    const since = await tenant.documents.awaitPdf(sourceOf(awaited), now);
    if (!since) return;
    if (refusedHost !== null) await tell(tenant, awaited, { refusedHost, now });
    else {
      // The caller's own tries grow apart: this one comes at the very moment, however the trouble began.
      await lookAgain(tenant, awaited, { since, now, afterMs: [ports.waits.documentOverdueMs] });
      await tellWhenOverdue(ports, tenant, awaited, { since, now });
    }
  });
}

/**
 * The PDF is here. Ends what a person was told, unless another PDF of the request is still missing. `owner` is the request as
 * it is locked: mostly nobody was told anything, and nothing more is asked.
 */
export async function endAwaiting(
  tenant: Tenant,
  awaited: Awaited,
  { owner, now }: { owner: ReferralRequest; now: Date },
): Promise<void> {
  await tenant.documents.endAwaiting(sourceOf(awaited));
  if (!isOfDocuments(owner.reviewReason)) return;
  if (await tenant.documents.isAnyAwaited(owner.id)) return;
  await apply(
    tenant,
    awaited.request.id,
    { kind: "documents_here" },
    { actor: "service", at: now },
  );
}

const sourceOf = ({ kind, sourceUuid, request }: Awaited) => ({
  kind,
  sourceUuid,
  requestId: request.id,
});

/** Several readings may come to this: the moments are counted from the same one, so that their jobs collapse. */
async function lookAgain(
  tenant: Tenant,
  { request: { environment }, kind, sourceUuid: uuid }: Awaited,
  { since, now, afterMs }: { since: Date; now: Date; afterMs: readonly number[] },
): Promise<void> {
  const next = afterMs.map((ms) => new Date(since.getTime() + ms)).find((at) => at > now);
  if (!next) return;
  const name = kind === "referral" ? "refetch-referral" : "refetch-result";
  await tenant.jobs.enqueue({ name, shop: tenant.shop, environment, uuid }, { startAfter: next });
}

async function tellWhenOverdue(
  { waits }: AwaitPorts,
  tenant: Tenant,
  awaited: Awaited,
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  if (now.getTime() - since.getTime() < waits.documentOverdueMs) return;
  await tell(tenant, awaited, { refusedHost: null, now });
}

async function tell(
  tenant: Tenant,
  { request, kind }: Awaited,
  { refusedHost, now }: Trouble & { now: Date },
): Promise<void> {
  const event = { kind: "document_missing", document: kind, refusedHost } as const;
  await apply(tenant, request.id, event, { actor: "pathway", at: now });
}
