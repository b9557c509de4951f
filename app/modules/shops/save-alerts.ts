import { randomUUID } from "node:crypto";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import {
  ALERT_KINDS,
  type AlertKind,
  type AlertRecipient,
  CONTACT_ID,
  MAX_RECIPIENTS,
  readersOf,
} from "./alert.ts";
import { keepOthersChanges } from "./keep-others-changes.ts";
import { type NotAllowed, refuseUnlessAllowed } from "./may-do.ts";
import { sendWaitingAlerts } from "./note-alert.ts";
import type { Ports } from "./ports.ts";
import { type ChangedMeanwhile, whoChanged } from "./save-settings.ts";
import type { Tenant } from "./tenant.ts";

/** The form of one recipient. The address is null for the shop's contact address, which Shopify tells. */
export interface AlertChoice {
  email: string | null;
  kinds: AlertKind[];
}

export type SaveAlertsOutcome =
  | { kind: "saved" }
  /** The address stands in the list already. */
  | { kind: "known_address" }
  | { kind: "too_many" }
  /** Somebody else removed the recipient. */
  | { kind: "gone" }
  | ChangedMeanwhile
  | NotAllowed;

/** Adds a recipient of alerts (`id` null), or changes one: field by field, as all settings are saved. */
export async function saveAlerts(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    id,
    wished,
    seen = null,
    actor,
  }: {
    shop: ShopDomain;
    id: string | null;
    wished: AlertChoice;
    seen?: AlertChoice | null;
    actor: Actor;
  },
): Promise<SaveAlertsOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_policies", { at });
    if (refused) return refused;
    const list = await lockedList(tenant);
    const before = list.find((one) => one.id === id);
    if (id !== null && !before) return { kind: "gone" };
    const isNew = before === undefined;
    if (isNew && list.length > MAX_RECIPIENTS) return { kind: "too_many" };
    const fields = fieldsOf(wished);
    const merged =
      before && seen
        ? keepOthersChanges(fieldsOf(before), { wished: fields, seen: fieldsOf(seen) })
        : { settings: fields, conflicts: [] };
    if (merged.conflicts.length > 0) {
      const byName = await whoChanged(
        tenant,
        ({ what, detail }) => what === "alerts_changed" && detail?.recipient === id,
      );
      return { kind: "changed_meanwhile", settings: merged.conflicts, byName };
    }
    const { email, ...chosen } = merged.settings;
    const isKnown = list.some((one) => one.id !== id && isSame(one.address, email));
    if (isKnown) return { kind: "known_address" };
    const kinds = ALERT_KINDS.filter((kind) => chosen[kind]);
    const recipient = { id: id ?? randomUUID(), email, kinds };
    const stopped = (before?.stopped ?? []).filter((kind) => !kinds.includes(kind));
    await tenant.alerts.saveRecipient({ ...recipient, stopped });
    await sendWaitingAlerts(tenant, kinds);
    const detail = { recipient: recipient.id, kinds: kinds.join(" ") };
    await tenant.accessLog.add({
      ...{ at, who: "staff", actor, what: "alerts_changed" },
      detail: { deed: isNew ? "added" : "changed", ...detail },
    });
    return { kind: "saved" };
  });
}

/** Takes somebody off the list. The shop's contact address stays on it: its kinds can be unticked. */
export async function removeAlertRecipient(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, id, actor }: { shop: ShopDomain; id: string; actor: Actor },
): Promise<{ kind: "saved" } | NotAllowed> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_policies", { at });
    if (refused) return refused;
    const list = await lockedList(tenant);
    if (id === CONTACT_ID || !list.some((one) => one.id === id)) return { kind: "saved" };
    await tenant.alerts.removeRecipient(id);
    await tenant.accessLog.add({
      ...{ at, who: "staff", actor, what: "alerts_changed" },
      detail: { deed: "removed", recipient: id },
    });
    return { kind: "saved" };
  });
}

/** Everybody on the list, which nobody else changes until the transaction ends. */
async function lockedList(tenant: Tenant) {
  await tenant.alerts.lockRecipients();
  const settings = await tenant.shops.find();
  if (!settings) throw new Error("A signed-in shop has no row of its own");
  return readersOf(settings, await tenant.alerts.recipients());
}

type Fields = { email: string | null } & Record<AlertKind, boolean>;

/** The fields of a form, each of which somebody else may have changed. */
const fieldsOf = ({ email, kinds }: Pick<AlertRecipient, "email" | "kinds">): Fields => ({
  email,
  ...(Object.fromEntries(ALERT_KINDS.map((kind) => [kind, kinds.includes(kind)])) as Record<
    AlertKind,
    boolean
  >),
});

const isSame = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one.toLowerCase() === other.toLowerCase();
