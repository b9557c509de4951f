import type { PrivacyRepository } from "../../domain/privacy/privacy.ts";
import type { Scope } from "./scope.ts";

export function privacyRepository({ tx, shop }: Scope): PrivacyRepository {
  return {
    async open(duty, inboxId, openedAt) {
      await tx.privacyDuty.createMany({
        data: [{ shop, inboxId: BigInt(inboxId), duty, openedAt }],
        skipDuplicates: true,
      });
    },
  };
}
