/**
 * A subject has a data key of its own, so that it can be erased alone. Everything sealed about a patient is sealed for the
 * request, the order, the export or the customer with which it has to vanish:
 *
 * - request: details, corrections, invitation, referrals, results, documents of one unit in one generation
 * - order: the buyer, as the store told
 * - export: what was packed for a privacy request, by the message's number
 * - customer: what a customer keeps for several orders
 * - patient: a person whom a customer saved for their next tests, by the key's own id
 */
export type Subject =
  | { request: string }
  | { order: string }
  | { export: string }
  | { customer: string }
  | { patient: string };

const SUBJECT_KINDS = ["request", "order", "export", "customer", "patient"] as const;

/** The subject as it is stored: its kind and its id. */
export function subjectName(subject: Subject): string {
  const [[kind, id] = []] = Object.entries(subject);
  if (!kind || !id) throw new Error("A subject needs an id");
  return `${kind} ${id}`;
}

/** The subject of a name; null for the shop's own keys, and for what another version names. */
export function parseSubject(name: string): Subject | null {
  const [kind = "", ...id] = name.split(" ");
  const known = SUBJECT_KINDS.find((one) => one === kind);
  return known && id.length > 0 ? ({ [known]: id.join(" ") } as Subject) : null;
}

/** What the note of an erased shop says. */
export const WHOLE_SHOP = "shop";

/** The shop's own keys: its credentials and texts; messages that wait; keyed hashes. */
export const SHOP_SUBJECTS = { own: "shop", messages: "messages", hashes: "hashes" } as const;
