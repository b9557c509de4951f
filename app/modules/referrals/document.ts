import type { CustomerId, ShopDomain } from "../kernel/ids.ts";
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

/** `isReplaced`: nobody is shown it any more, though nothing newer is here. `isDrawnAnew`: the service told nothing of it. */
export type NewestVersion = Document & { isReplaced: boolean; isDrawnAnew: boolean };

/** What a PDF belongs to: a referral or a result of a request, by its uuid at the service. */
export type PdfSource = Pick<Document, "kind" | "sourceUuid" | "requestId">;

/** Stores outside the database. */
export const OBJECT_STORES = ["files", "s3"] as const;
export type ObjectStoreName = (typeof OBJECT_STORES)[number];

/** A PDF that lies outside the database, sealed by a key of its own. The key stands, sealed, on the document's row. */
export interface StoredObject {
  store: ObjectStoreName;
  /** Its name there, within the shop: a random uuid, which tells nothing. */
  object: string;
  key: Buffer;
}

/** A PDF itself, or where it lies. */
export type DocumentBody = Buffer | StoredObject;

/** A document's body, and the request that it belongs to. */
export interface PlacedBody {
  documentId: string;
  requestId: string;
  body: DocumentBody;
  /** Since when it is noted as missing in its store. */
  lostAt: Date | null;
}

/** Port: keeps PDFs where the operator wants them. Every call may take seconds: none belongs into a transaction. */
export interface DocumentBodies {
  /** Where new ones go; null: into the database. */
  readonly target: ObjectStoreName | null;
  /** The stores that are set up. */
  readonly stores: ReadonlySet<ObjectStoreName>;
  /** Whether this database may change a store: a copy beside the original may only read. Throws `DocumentStoreFailed`. */
  mayChange(shop: ShopDomain, store: ObjectStoreName): Promise<boolean>;
  /**
   * Whether a store is the one that this database knows: it bears its mark, or has a document of the shop. A folder that is not
   * mounted has neither, and so has a store that is lost as a whole. Throws `DocumentStoreFailed`.
   */
  isKnown(shop: ShopDomain, store: ObjectStoreName): Promise<boolean>;
  /**
   * Seals a PDF by a key of its own and stores it. Answers the PDF itself where the database is to hold it: by the setting,
   * where this database may not change the store, or where the store has nothing of what was stored there. Nobody waits for
   * a form until an operator has said whose the store is.
   */
  place(shop: ShopDomain, pdf: Buffer): Promise<DocumentBody>;
  /** Brings a PDF. Throws `DocumentStoreFailed`. */
  read(shop: ShopDomain, body: DocumentBody): Promise<Buffer>;
  /** The objects of a shop in every store that is set up, by name from `from` on, up to `until`. */
  list(
    shop: ShopDomain,
    range: { from: string; until: string | null },
  ): AsyncIterable<Omit<StoredObject, "key"> & { at: Date }>;
  /** Deletes an object if it is there. False, and nothing is deleted, where this database may not change its store. */
  delete(shop: ShopDomain, object: Omit<StoredObject, "key">): Promise<boolean>;
}

export interface DocumentRepository {
  /** The newest version of a PDF. Nobody else stores another until the transaction ends. */
  newestForUpdate(of: Pick<Document, "kind" | "sourceUuid">): Promise<NewestVersion | null>;
  /**
   * Stores a PDF as the next version unless the newest version has the same content, or its request was
   * redacted. A newest version that was taken away and comes again is the current one again, and nothing new; one of which the
   * service had told nothing is new then. A form in the place of one that was not taken away is noted as drawn anew.
   * Returns the new document, or null when nothing new was stored. `newest` is for whoever asked for it just now.
   */
  store(
    document: Omit<Document, "version" | "createdAt">,
    body: DocumentBody,
    at: Date,
    newest?: NewestVersion | null,
  ): Promise<Document | null>;
  /** Whether the newest version is this one, current and not lost: to store it again would change nothing. */
  isCurrent(
    document: Pick<Document, "kind" | "sourceUuid" | "sha256" | "partial">,
  ): Promise<boolean>;
  /** Whether a version of a PDF is here, current and not lost. */
  hasCurrent(of: Pick<Document, "kind" | "sourceUuid">): Promise<boolean>;
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
  /** Ends what `awaitPdf` began. */
  endAwaiting(source: PdfSource): Promise<void>;
  /** Whether any PDF of a request is still looked for. */
  isAnyAwaited(requestId: string): Promise<boolean>;
  /** Current versions only. */
  forRequests(requestIds: string[]): Promise<Document[]>;
  find(id: string): Promise<Document | null>;
  body(id: string): Promise<DocumentBody | null>;
  /** The bodies of these requests' documents that lie outside the database; without those whose key is damaged. */
  bodiesOutside(requestIds: string[]): Promise<PlacedBody[]>;
  /** Documents whose body lies elsewhere than in `target`, by their ids behind one of them, at most so many. */
  elsewhere(
    target: ObjectStoreName | null,
    page: { after: string | null; limit: number },
  ): Promise<string[]>;
  /**
   * Notes that a body, which was just read, lies elsewhere now, and when it left its former object. False when it was moved, replaced
   * or erased meanwhile.
   */
  move(from: Omit<PlacedBody, "lostAt">, to: DocumentBody, at: Date): Promise<boolean>;
  /** The names in a range of the objects that documents have left since `since`. Earlier ones are forgotten. */
  leftSince(range: { from: string; until: string | null }, since: Date): Promise<Set<string>>;
  /** The names in a range of the objects that rows point at. */
  objectsIn(range: {
    from: string;
    until: string | null;
  }): Promise<{ store: ObjectStoreName; object: string; documentId: string; isLost: boolean }[]>;
  /**
   * Notes that these objects are not in their store, or are there again. Answers what would bring the current ones. A body that lies
   * elsewhere by now is none of them.
   */
  setLost(
    bodies: readonly { documentId: string; object: string }[],
    at: Date | null,
  ): Promise<{ kind: DocumentKind; environment: Environment; uuid: string }[]>;
  saveTicket(ticketHash: Buffer, documentId: string, expiresAt: Date): Promise<void>;
  /** Takes a ticket once; null when it is unknown, used or over. */
  takeTicket(ticketHash: Buffer, now: Date): Promise<string | null>;
}

/** Port: fetches a PDF from a signed address of the service (interface §2.1 referralAttachment, §2.2 resultAttachment). */
export interface AttachmentFetcher {
  /**
   * `expired`: the service has to give a fresh address. `gone`: the host answered with another 4xx. `refused`: the address
   * or the answer is not one that we accept. Throws `ReferralServiceError` (connection, timeout, rate_limited, server): a
   * later try may work. So may one to a name that leads to a private address at the moment.
   */
  download(url: string): Promise<
    | { kind: "pdf"; bytes: Buffer }
    | { kind: "expired" | "gone"; reason: string; status?: number }
    /** `host`: the place that may not be visited, "host:port" when its port is not 443; absent when the place is allowed. */
    | { kind: "refused"; reason: string; status?: number; host?: string }
    | { kind: "not_pdf" }
  >;
}
