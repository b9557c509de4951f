import type { OrderId } from "../kernel/ids.ts";
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

/** The addresses that want alerts of a kind, each once. */
export function addressesFor(kind: AlertKind, readers: readonly AlertReader[]): string[] {
  const addresses = readers.flatMap(({ address, kinds }) =>
    address && kinds.includes(kind) ? [address] : [],
  );
  return [...new Map(addresses.map((one) => [one.toLowerCase(), one])).values()];
}

/** One email of an alert to one person. */
export interface AlertMail {
  id: string;
  kind: AlertKind;
  facts: AlertFacts;
  /** Keyed hash of the address. */
  recipient: Buffer;
  sentAt: Date | null;
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
    address: string;
    at: Date;
  }): Promise<string | null>;
  /** When one of this kind was noted last; null before the first. */
  lastNotedAt(kind: AlertKind): Promise<Date | null>;
  /** Notes that an order came to need a person. */
  noteAttention(orderId: OrderId): Promise<void>;
  /** Takes the orders that were noted so, at most `limit`: they are told, or not any more. */
  takeAttention(limit: number): Promise<OrderId[]>;
  /** The next 8:00 in a time zone, and the day before it, which the summary of that morning is about. */
  nextMorning(now: Date, timeZone: string): Promise<{ at: Date; day: string }>;
  find(id: string): Promise<AlertMail | null>;
  markSent(id: string, at: Date): Promise<void>;
  markRefused(id: string, at: Date): Promise<void>;
  /** Takes back an email that is not due any more. */
  forget(id: string): Promise<void>;
  /** Returns those of these addresses that refused the last alert for good. */
  refusedBy(addresses: readonly string[]): Promise<string[]>;
  /** Keyed hash of an address: equal for equal addresses, and nobody can tell the address from it. */
  recipientOf(address: string): Buffer;
  /** The secret that ends alerts of one kind to one address. It is derived, so every email has the same. */
  stopTokenOf(address: string, kind: AlertKind): string;
}
