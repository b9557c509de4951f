import type { Epochs } from "../../../platform/encryption/epochs.ts";
import { parseSubject, WHOLE_SHOP } from "../../../platform/encryption/subject.ts";
import { gid } from "../../kernel/ids.ts";
import type { ErasureNotes } from "../privacy.ts";

/** The notes of erasures beside the epochs of a shop's keys, where no backup of the database reaches. */
export function createErasureNotes(
  epochs: Pick<Epochs, "tombstones" | "damagedTombstones">,
): ErasureNotes {
  return {
    async of(shop) {
      const tombstones = await epochs.tombstones(shop);
      const whole = tombstones.findLast(({ subject }) => subject === WHOLE_SHOP);
      const subjects = tombstones.flatMap(({ subject }) => parseSubject(subject) ?? []);
      return {
        shopErasedAt: whole ? new Date(whole.erasedAt) : null,
        requestIds: subjects.flatMap((one) => ("request" in one ? [one.request] : [])),
        orderIds: subjects.flatMap((one) => ("order" in one ? [gid("Order", one.order)] : [])),
        exportIds: subjects.flatMap((one) => ("export" in one ? [one.export] : [])),
        savedPatientKeys: subjects.flatMap((one) => ("patient" in one ? [one.patient] : [])),
        damaged: await epochs.damagedTombstones(shop),
        customerIds: subjects.flatMap((one) => ("customer" in one ? [one.customer] : [])),
      };
    },
  };
}
