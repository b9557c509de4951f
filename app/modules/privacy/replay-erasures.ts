import { NotesDamaged } from "../../platform/errors.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import { redact } from "./privacy/redact.ts";
import type { Tenant } from "./tenant.ts";

/** Requests and orders for each transaction, so that none takes long. */
const BATCH = 100;
/** How long until a request that is just being sent is looked at again. */
const WAIT_MS = 60_000;

type ReplayPorts = Pick<Ports, "tenancy" | "clock" | "shopEraser" | "erasureNotes" | "logger">;

/**
 * Erases again what a restored database has forgotten to be erased: the notes of erasures lie outside the database.
 * Data that is erased already stays so. A shop that was installed after its erasure is another, and stays. Throws `NotesDamaged`,
 * once all that can be read is done, so that it is tried again when the files are back.
 */
export async function replayErasures(
  { tenancy, clock, shopEraser, erasureNotes, logger }: ReplayPorts,
  { shop }: { shop: ShopDomain },
): Promise<void> {
  const notes = await erasureNotes.of(shop);
  const { shopErasedAt, requestIds, orderIds, exportIds, customerIds, savedPatientKeys } = notes;
  // An erased shop has no key left, and is there all the same.
  const known = shopErasedAt && (await tenancy.inShop(shop, (tenant) => tenant.shops.find()));
  if (known && known.installedAt < shopErasedAt) {
    if (known.installed) await tenancy.inShop(shop, (t) => t.shops.uninstall(shopErasedAt));
    await shopEraser.erase(shop, { askedAt: shopErasedAt, doneAt: clock.now() });
    logger.warn({ shop }, "a shop that was erased before the restore is erased again");
    return;
  }
  let isWaiting = false;
  for (const ids of inBatches(requestIds))
    await tenancy.inShop(shop, async (tenant) => {
      const { sending } = await redact(tenant, { requestIds: ids, orderIds: [] }, clock.now());
      isWaiting ||= sending > 0;
    });
  for (const ids of inBatches(orderIds))
    await tenancy.inShop(shop, (tenant) =>
      redact(tenant, { requestIds: [], orderIds: ids }, clock.now()),
    );
  const rest = exportIds.length + customerIds.length + savedPatientKeys.length;
  if (rest > 0 || isWaiting)
    await tenancy.inShop(shop, async (tenant) => {
      await tenant.redaction.exports(exportIds);
      for (const id of customerIds) await tenant.redaction.merges(id);
      await tenant.savedPatients.removeByKeys(savedPatientKeys);
      if (isWaiting) await lookAgain(tenant, clock.now());
    });
  const count = requestIds.length + orderIds.length + rest;
  if (count > 0) logger.warn({ shop, count }, "erasures before the restore are done again");
  if (notes.damaged.length === 0) return;
  logger.error(
    { shop, files: notes.damaged, code: "note_damaged" },
    "notes of erasures are damaged",
  );
  throw new NotesDamaged(notes.damaged);
}

function lookAgain(tenant: Tenant, now: Date): Promise<void> {
  const job = { name: "replay-erasures", shop: tenant.shop } as const;
  return tenant.jobs.enqueue(job, { startAfter: new Date(now.getTime() + WAIT_MS) });
}

function inBatches<T>(ids: T[]): T[][] {
  const count = Math.ceil(ids.length / BATCH);
  return Array.from({ length: count }, (_, at) => ids.slice(at * BATCH, (at + 1) * BATCH));
}
