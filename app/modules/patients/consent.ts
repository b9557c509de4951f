import { z } from "zod";
import type { Shop } from "../shops/shop.ts";
import { collectionNotice } from "./collection-notice.ts";
import type { FieldError } from "./patient-details.ts";
import type { Tenant } from "./tenant.ts";
import type { UnitOwner } from "./unit-owner.ts";

interface Agreement {
  request: { id: string; owner: UnitOwner };
  settings: Pick<Shop, "name" | "retentionMonths" | "notice">;
}

/** Keeps the wording of the notice that the unit's owner agreed to now. */
export async function recordConsent(
  tenant: Tenant,
  { at, ...agreement }: Agreement & { at: Date },
): Promise<void> {
  const { id, owner } = agreement.request;
  await tenant.consents.add(id, { givenBy: owner, ...wordingNow(tenant, agreement), givenAt: at });
}

/** Whether the unit's owner agreed last to the very words that are shown now. */
export async function hasAgreed(tenant: Tenant, agreement: Agreement): Promise<boolean> {
  const { id, owner } = agreement.request;
  const latest = (await tenant.consents.forRequest(id)).at(-1);
  const { wording } = wordingNow(tenant, agreement);
  return latest?.givenBy === owner && latest.wording.join("\n") === wording.join("\n");
}

const shownSchema = z.object({ notice: z.string() });

/**
 * Refuses an agreement to other words than those that would be recorded: the shop changed its notice while the form stood open.
 * A caller that does not say which words were shown, as a program, agrees to those of now.
 */
export function noticeFaults(tenant: Tenant, agreement: Agreement, given: unknown): FieldError[] {
  const shown = shownSchema.safeParse(given).data?.notice;
  if (shown === undefined || shown === noticeNow(tenant, agreement).id) return [];
  return [
    {
      field: "consent",
      message: "The notice has changed since you opened this form. Read it again and tick the box.",
    },
  ];
}

function wordingNow(tenant: Tenant, agreement: Agreement) {
  const { version, paragraphs, consent } = noticeNow(tenant, agreement);
  return { version, wording: [...paragraphs, consent] };
}

function noticeNow(
  tenant: Tenant,
  { request: { owner }, settings: { name, retentionMonths, notice } }: Agreement,
) {
  return collectionNotice({ shop: tenant.shop, shopName: name, retentionMonths, owner, notice });
}
