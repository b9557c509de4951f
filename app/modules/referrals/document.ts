import type { CustomerId } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";

export const DOCUMENT_KINDS = ["referral", "result"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** One stored PDF with its version. */
export interface Document {
  id: string;
  requestId: string;
  customerId: CustomerId | null;
  kind: DocumentKind;
  sourceUuid: string;
  version: number;
  partial: boolean;
  sha256: string;
  bytes: number;
  createdAt: Date;
}

/** What a PDF belongs to: a referral or a result of a request, by its uuid at the service. */
export type PdfSource = Pick<Document, "kind" | "sourceUuid" | "requestId">;

export interface DocumentRepository {
  /**
   * Stores a PDF as the next version unless the newest version has the same content, or its request was
   * redacted. A newest version that was taken away and comes again is the current one again, and nothing new.
   * Returns the new document, or null when nothing new was stored.
   */
  store(
    document: Omit<Document, "version" | "createdAt">,
    pdf: Buffer,
    at: Date,
  ): Promise<Document | null>;
  /** Takes away the forms of a request's deleted referrals: nobody opens them any more. */
  revoke(requestId: string, at: Date): Promise<void>;
  /** Takes away a result's report, which does not show its figures any more. Returns whether there was one. */
  withdrawReport(resultUuid: string, at: Date): Promise<boolean>;
  /**
   * Referrals and results that were ordered, or whose PDF was taken away, in the last 30 days and that have no current
   * PDF here, the one that was asked for longest ago first, at most so many. None of a unit that was taken back, or whose
   * patient's data was destroyed, and none whose form is not made yet (interface §2.1). Only an issued referral has one
   * for certain: of all others none that was asked for since `askedBefore`, when it is given.
   */
  missing(
    limit: number,
    askedBefore: Date | null,
  ): Promise<{ kind: DocumentKind; environment: Environment; uuid: string }[]>;
  /**
   * Notes that the PDF of a referral or result is looked for. Returns since when; null when a current one is here, or
   * when the referral or result is not stored, was deleted or was redacted.
   */
  awaitPdf(source: PdfSource, at: Date): Promise<Date | null>;
  /** Ends what `awaitPdf` began. Returns whether another PDF of the same request is still looked for. */
  endAwaiting(source: PdfSource): Promise<{ isAnotherAwaited: boolean }>;
  /** Current versions only. */
  forRequests(requestIds: string[]): Promise<Document[]>;
  find(id: string): Promise<Document | null>;
  body(id: string): Promise<Buffer | null>;
  saveTicket(ticketHash: Buffer, documentId: string, expiresAt: Date): Promise<void>;
  /** Takes a ticket once; null when it is unknown, used or over. */
  takeTicket(ticketHash: Buffer, now: Date): Promise<string | null>;
}

/** Port: fetches a PDF from a signed address of the service (interface §2.1, referralAttachment). */
export interface AttachmentFetcher {
  download(url: string): Promise<
    | { kind: "pdf"; bytes: Buffer }
    | { kind: "expired"; reason: string; status?: number }
    | { kind: "gone"; reason: string; status?: number }
    /** `host`: the place that may not be fetched from, as a list of hosts would name it. */
    | { kind: "refused"; reason: string; status?: number; host?: string }
    | { kind: "not_pdf" }
  >;
}
