import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { isInItsTime } from "../../kernel/secret.ts";
import type { ExportTicketRepository } from "../export-ticket.ts";

export function exportTicketRepository({ tx, shop }: Scope): ExportTicketRepository {
  return {
    async save({ ticketHash, customerId, expiresAt, at }) {
      await tx.exportTicket.deleteMany({ where: { shop, expiresAt: { lte: at } } });
      await tx.exportTicket.create({
        data: { shop, ticketHash: new Uint8Array(ticketHash), customerId, expiresAt },
      });
    },
    async take(ticketHash, now) {
      const taken = await tx.$queryRaw<{ customerId: string; expiresAt: Date }[]>`
        DELETE FROM export_tickets WHERE shop = ${shop} AND ticket_hash = ${ticketHash}
        RETURNING customer_id AS "customerId", expires_at AS "expiresAt"`;
      const [ticket] = taken;
      return ticket && isInItsTime("export_ticket", ticket.expiresAt, now)
        ? gid("Customer", ticket.customerId)
        : null;
    },
  };
}
