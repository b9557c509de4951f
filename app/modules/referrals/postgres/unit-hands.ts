import { createHash } from "node:crypto";
import type { Scope } from "../../../platform/database/scope.ts";
import type { UnitOwner } from "../../patients/unit-owner.ts";
import type { HandedUnit } from "../request-repository.ts";

type Unit = Pick<HandedUnit, "orderId" | "lineItemId" | "unit" | "generation">;
type Handing = { owner: "patient"; email: string; at: Date } | { owner: "buyer"; at: Date };

/** Authenticated with the unit, not the row: a new generation of the unit keeps its owner. */
export const invitedEmailField = (unit: { orderId: string; lineItemId: string; unit: number }) => ({
  table: "referral_requests",
  column: "holder_email",
  row: `${unit.orderId} ${unit.lineItemId} ${unit.unit}`,
});

/**
 * Notes outside the database into whose hands a unit goes: a backup from before that may take this database's place, and its buyer
 * would see the patient's form and results there (docs/decisions/0219). Named by the unit and its generation, for an order that is
 * brought in again has requests of other ids. A word about an address is keyed by the shop's own key.
 */
export function unitHands({
  shop,
  sealer,
  restoreJournal: journal,
}: Pick<Scope, "shop" | "sealer" | "restoreJournal">) {
  const nameOf = (of: Unit, owner: UnitOwner, to = "") =>
    createHash("sha256")
      .update(
        ["hands", shop, of.orderId, of.lineItemId, of.unit, of.generation, owner, to].join("\n"),
      )
      .digest("base64url");
  const fingerprint = (row: Unit, email: string) =>
    sealer.fingerprint(invitedEmailField(row), email.trim().toLowerCase()).toString("hex");

  return {
    note(row: Unit, handing: Handing): void {
      const { owner, at } = handing;
      const names = [nameOf(row, owner)];
      if (handing.owner === "patient")
        names.push(nameOf(row, owner, fingerprint(row, handing.email)));
      journal.note(names, at);
    },
    /**
     * Whose it became after its row was backed up; null where the row is as it was last. A patient who was invited again at the same
     * address is the same.
     */
    async sinceBackup(
      row: HandedUnit,
      emailOf: () => Promise<string | null>,
    ): Promise<{ owner: UnitOwner; since: Date } | null> {
      const handed = await journal.notedAt(nameOf(row, "patient"));
      const back = await journal.notedAt(nameOf(row, "buyer"));
      // At one moment, it is the patient's: doubt shuts.
      const isHanded = handed !== null && (back === null || back <= handed);
      const since = isHanded ? handed : back;
      if (since === null || (row.invitedAt && since <= row.invitedAt)) return null;
      const owner = isHanded ? "patient" : "buyer";
      if (owner !== row.owner) return { owner, since };
      const email = owner === "patient" ? await emailOf() : null;
      const there = email && (await journal.notedAt(nameOf(row, owner, fingerprint(row, email))));
      return owner === "buyer" || (there && there >= since) ? null : { owner, since };
    },
  };
}
