import { Prisma } from "../../../generated/prisma/client.ts";
import { heldRequests } from "../../../platform/database/held-rows.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { type CustomerId, gid } from "../../kernel/ids.ts";
import type { CustomerRepository } from "../customers.ts";

const readMerges = rowsOf<{ intoId: string }>("customer_merges", ["intoId"]);

export function customerRepository({ tx, shop }: Scope): CustomerRepository {
  const lockName = `${shop} customers`;
  const intoOf = async (fromId: CustomerId) => {
    const [row] = await readMerges(tx, Prisma.sql`shop = ${shop} AND from_id = ${fromId}`);
    return row ? gid("Customer", row.intoId) : null;
  };

  /** Follows the merges to their end. A ring cannot come of true merges; it ends where it began. */
  async function follow(customerId: CustomerId): Promise<CustomerId> {
    const seen = new Set([customerId]);
    let current = customerId;
    for (let next = await intoOf(current); next; next = await intoOf(current)) {
      if (seen.has(next)) return customerId;
      seen.add(next);
      current = next;
    }
    return current;
  }

  async function give(from: CustomerId, customerId: CustomerId): Promise<void> {
    const theirs = { where: { shop, customerId: from }, data: { customerId } };
    // Requests first: who stores a document holds its request, and is waited for here.
    heldRequests(tx).clear();
    await tx.referralRequest.updateMany(theirs);
    await tx.document.updateMany(theirs);
    await tx.order.updateMany(theirs);
    await tx.savedPatient.updateMany(theirs);
    // Widens exports that were made for somebody, or will be. An erasure is not widened to a customer who stays.
    await tx.privacyRequest.updateMany({
      where: { ...theirs.where, kind: "customer_data_requested" },
      data: theirs.data,
    });
  }

  return {
    async merge(fromId, intoId, mergedAt) {
      if (fromId === intoId) return;
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
      await tx.customerMerge.createMany({
        data: [{ shop, fromId, intoId, mergedAt }],
        skipDuplicates: true,
      });
      const survivor = await follow(fromId);
      // An earlier merge may have left things with somebody who is merged only now.
      for (const gone of [fromId, intoId]) if (gone !== survivor) await give(gone, survivor);
    },
    async giveOrder(orderId, to) {
      await tx.$executeRaw`
        UPDATE documents d SET customer_id = ${to} FROM referral_requests r
        WHERE r.shop = ${shop} AND r.order_id = ${orderId} AND r.owner = 'buyer'
          AND r.customer_id IS DISTINCT FROM ${to} AND r.redacted_at IS NULL
          AND d.shop = ${shop} AND d.request_id = r.id AND d.customer_id IS NOT DISTINCT FROM r.customer_id`;
      heldRequests(tx).clear();
      const given = await tx.$executeRaw`
        UPDATE referral_requests SET customer_id = ${to}
        WHERE shop = ${shop} AND order_id = ${orderId} AND customer_id IS DISTINCT FROM ${to}
          AND redacted_at IS NULL`;
      // An address that the former account was given a moment ago opens nothing any more.
      if (given > 0)
        await tx.$executeRaw`
          DELETE FROM document_tickets t USING documents d, referral_requests r
          WHERE t.shop = ${shop} AND d.shop = ${shop} AND d.id = t.document_id
            AND r.shop = ${shop} AND r.id = d.request_id AND r.order_id = ${orderId}`;
      return given > 0;
    },
    async survivorOf(customerId) {
      await unanswered(
        tx,
        Prisma.sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${lockName}, 0))`,
      );
      return follow(customerId);
    },
  };
}
