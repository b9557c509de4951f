import type { CustomerId } from "../kernel/ids.ts";

export interface ExportTicketRepository {
  save(ticket: {
    ticketHash: Buffer;
    customerId: CustomerId;
    expiresAt: Date;
    at: Date;
  }): Promise<void>;
  /** Takes a ticket once; null when it is unknown, used or over. */
  take(ticketHash: Buffer, now: Date): Promise<CustomerId | null>;
}
