import type { OrderId } from "../kernel/ids.ts";
import type { PutOff, StaffKind } from "../kernel/notification.ts";
import type { AlertFacts } from "./alert-facts.ts";
import type { Shop } from "./shop.ts";

/** The kinds of emails for the shop's people. No alert says anything about a patient, a product or a result. */
export const ALERT_KINDS = ["outage", "attention", "critical_held", "webhooks", "daily"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Somebody whom alerts are emailed to. */
export interface AlertRecipient {
  id: string;
  /** Null for the shop's contact address, which Shopify tells. */
  email: string | null;
  kinds: AlertKind[];
  /** The kinds that they ended by the link in an email, and nobody has chosen again. */
  stopped: AlertKind[];
}

/** The shop's contact address among its recipients: it is there without being added, and can't be removed. */
export const CONTACT_ID = "00000000-0000-0000-0000-000000000000";

/** The kinds for the contact address until somebody chooses otherwise; they are ticked for somebody new. */
export const DEFAULT_KINDS: readonly AlertKind[] = ["outage", "attention"];

/** The kinds that the contact address can choose: it gets the reviewer's emails about held results in any case. */
export const CONTACT_CHOICES: readonly AlertKind[] = ALERT_KINDS.filter(
  (kind) => kind !== "critical_held",
);

/** Somebody must hear of these: one that reaches nobody waits until somebody wants them. */
export const KEPT_KINDS: readonly AlertKind[] = ["outage", "critical_held"];

/** More would be a mailing list. */
export const MAX_RECIPIENTS = 20;

/** A recipient with the address that their alerts go to; null while the shop's contact address is not known. */
export interface AlertReader extends AlertRecipient {
  address: string | null;
}

/** Everybody in the shop's list, its contact address first. */
export function readersOf(
  { contactEmail }: Pick<Shop, "contactEmail">,
  stored: readonly AlertRecipient[],
): AlertReader[] {
  const contact = stored.find(({ id }) => id === CONTACT_ID) ?? {
    ...{ id: CONTACT_ID, email: null, kinds: [...DEFAULT_KINDS], stopped: [] },
  };
  const others = stored.filter(({ id }) => id !== CONTACT_ID);
  return [
    { ...contact, address: contactEmail },
    ...others.map((one) => ({ ...one, address: one.email })),
  ];
}

/** A recipient of alerts who can be reached. */
type ReachableReader = Pick<AlertRecipient, "id"> & { address: string };

/** Those who want alerts of a kind, each address once. */
export function readersFor(kind: AlertKind, readers: readonly AlertReader[]): ReachableReader[] {
  const wanting = readers.flatMap(({ id, address, kinds }) =>
    address && kinds.includes(kind) ? [{ id, address }] : [],
  );
  return [...new Map(wanting.map((one) => [one.address.toLowerCase(), one])).values()];
}

/** Their addresses. */
export const addressesFor = (kind: AlertKind, readers: readonly AlertReader[]): string[] =>
  readersFor(kind, readers).map(({ address }) => address);

/** One email of an alert to one person. */
export interface AlertMail {
  id: string;
  kind: AlertKind;
  /** Tells alerts of one kind apart, such as one outage from the next. */
  occurrence: string;
  facts: AlertFacts;
  /** Keyed hash of the address that it was noted for. */
  recipient: Buffer;
  /** Whose address that was; null when an earlier version noted it. */
  recipientId: string | null;
  notedAt: Date;
  sentAt: Date | null;
  /** As `markPutOff` noted it for the present address. */
  putOff: PutOff | null;
}

export interface AlertRepository {
  /** Those that are stored, oldest first: the contact address is among them once its kinds were changed. */
  recipients(): Promise<AlertRecipient[]>;
  /** Adds a recipient, or changes one that is there. */
  saveRecipient(recipient: AlertRecipient): Promise<void>;
  removeRecipient(id: string): Promise<void>;
  /** Serializes changes of the list until the transaction ends. */
  lockRecipients(): Promise<void>;
  /** Notes that an email is due; null when it was noted before. */
  note(mail: {
    occurrence: string;
    facts: AlertFacts;
    reader: ReachableReader;
    at: Date;
  }): Promise<string | null>;
  /** When one of this kind was noted last, but for those that a clock noted which was set back since; null before the first. */
  lastNotedAt(kind: AlertKind, now: Date): Promise<Date | null>;
  /** Notes that an order came to need a person. */
  noteAttention(orderId: OrderId): Promise<void>;
  /** Takes the orders that were noted so, at most `limit`: they are told, or not any more. */
  takeAttention(limit: number): Promise<OrderId[]>;
  /** The next 8:00 in a time zone, and the day before it, which the summary of that morning is about. */
  nextMorning(now: Date, timeZone: string): Promise<{ at: Date; day: string }>;
  find(id: string): Promise<AlertMail | null>;
  /** Whether another email of the same occurrence is noted or was sent. */
  isNotedBeside(alert: Pick<AlertMail, "id" | "kind" | "occurrence">): Promise<boolean>;
  /** The emails that have not been sent, of these kinds; at most `limit`, oldest first. */
  waiting(kinds: readonly AlertKind[], limit: number): Promise<string[]>;
  /** Gives an email to another reader. Returns false when one of the same occurrence is noted for that address. */
  readdress(id: string, reader: ReachableReader): Promise<boolean>;
  markSent(id: string, at: Date): Promise<void>;
  markRefused(id: string, at: Date): Promise<void>;
  /** Notes since when the server puts an email off. */
  markPutOff(id: string, putOff: PutOff): Promise<void>;
  /** Records what became of another email to one of the shop's people: for `refusedBy` it counts as an alert. */
  recordOther(mail: {
    kind: StaffKind;
    occurrence: string;
    address: string;
    at: Date;
    isRefused: boolean;
  }): Promise<void>;
  /** Takes back an email that is not due any more. */
  forget(id: string): Promise<void>;
  /** Returns those of these addresses that refused the last alert, or other email to the shop, for good. */
  refusedBy(addresses: readonly string[]): Promise<string[]>;
  /** Keyed hash of an address: equal for equal addresses, and nobody can tell the address from it. */
  recipientOf(address: string): Buffer;
  /** The secret that ends alerts of one kind to one address. It is derived, so every email has the same. */
  stopTokenOf(address: string, kind: AlertKind): string;
  /** Reads such a secret, also of an address that nobody has stored any more; null for one that is none. */
  readStopToken(token: string): { kind: AlertKind; isOf(address: string): boolean } | null;
}
