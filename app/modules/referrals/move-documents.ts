import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import { refetchIfLost } from "./sweep-documents.ts";
import type { Tenant } from "./tenant.ts";

/** Documents that one look names. */
const PAGE = 20;
/** So long one job moves documents before other shops have their turn. */
const TURN_MS = 20_000;

/** Has the documents moved that lie elsewhere than the operator wants them. */
export async function moveWhenNeeded(
  tenant: Tenant,
  { target }: Pick<Ports["documentBodies"], "target">,
): Promise<void> {
  const [first] = await tenant.documents.elsewhere(target, { after: null, limit: 1 });
  if (first) await tenant.jobs.enqueue({ name: "move-documents", shop: tenant.shop, after: null });
}

/**
 * Moves a shop's documents to where new ones go, after the operator has changed that. Each is sealed anew by a key of its own,
 * placed, and then pointed at: whenever the process dies, each can be read where its row says. The former objects are swept.
 * A copy of the database on trial moves nothing into a store that is not its own. Documents that cannot be read are left where
 * they are, and tried again at the next look of the maintenance.
 */
export async function moveDocuments(
  {
    tenancy,
    clock,
    documentBodies,
    logger,
  }: Pick<Ports, "tenancy" | "clock" | "documentBodies" | "logger">,
  { shop, after }: { shop: ShopDomain; after: string | null },
  { turnMs = TURN_MS } = {},
): Promise<{ moved: number; left: number }> {
  const { target } = documentBodies;
  const endsAt = performance.now() + turnMs;
  const done = { moved: 0, left: 0 };
  if (target !== null && !(await documentBodies.mayChange(shop, target))) return done;
  let at = after;
  let isMore = true;
  let hasTime = true;
  while (isMore && hasTime) {
    const page = await tenancy.inShop(shop, (tenant) =>
      tenant.documents.elsewhere(target, { after: at, limit: PAGE }),
    );
    for (const documentId of page) {
      try {
        if (await moveOne({ tenancy, clock, documentBodies }, shop, documentId)) done.moved++;
      } catch (error) {
        done.left++;
        logger.warn({ shop, documentId, err: error }, "a document was not moved");
      }
      at = documentId;
      // After each document: a store that hangs takes a minute for one.
      hasTime = performance.now() < endsAt;
      if (!hasTime) break;
    }
    const last = page.at(-1);
    isMore = page.length === PAGE || (last !== undefined && last !== at);
  }
  if (isMore) {
    const job = { name: "move-documents", shop, after: at } as const;
    await tenancy.inShop(shop, (tenant) => tenant.jobs.enqueue(job));
  }
  logger.info({ shop, target: target ?? "database", ...done }, "documents moved");
  return done;
}

async function moveOne(
  { tenancy, clock, documentBodies }: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  shop: ShopDomain,
  documentId: string,
): Promise<boolean> {
  const from = await tenancy.inShop(shop, async ({ documents }) => {
    const document = await documents.find(documentId);
    const body = document && (await documents.body(documentId));
    return body && { documentId, requestId: document.requestId, body };
  });
  // Erased since it was named.
  if (!from) return false;
  let pdf: Buffer;
  try {
    pdf = await documentBodies.read(shop, from.body);
  } catch (error) {
    await refetchIfLost({ tenancy, clock }, shop, from, error);
    throw error;
  }
  const to = await documentBodies.place(shop, pdf);
  const isMoved = await tenancy.inShop(shop, (tenant) =>
    tenant.documents.move(from, to, clock.now()),
  );
  // Erased meanwhile: a shop that is erased has no sweep any more.
  if (!isMoved && !Buffer.isBuffer(to)) await documentBodies.delete(shop, to);
  return isMoved;
}
