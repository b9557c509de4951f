import type { DueNotification } from "../kernel/notification.ts";
import type { Document } from "./document.ts";
import type { StoredReferral } from "./referral-repository.ts";
import { isFurther } from "./requests/referral-parts.ts";

/**
 * The mail which says that a form can be opened. The first form of a unit has a mail that names no referral; each later
 * version of it, of which the service told, is a correction. Mails of their own, which name the referral, have the form of a referral
 * that came after another of its part, and the second one of a unit with two, whether or not the first one was told of yet: the
 * two go out as one where they come together. `isFirstNoted`: whether the mail that names none is due, or was.
 */
export function formMail(
  { requestId, sourceUuid, version }: Document,
  { referrals, isFirstNoted }: { referrals: StoredReferral[]; isFirstNoted: boolean },
): DueNotification {
  const isFirst = version === 1;
  const isNamed =
    isFurther(sourceUuid, referrals) || (hasTwoParts(referrals) && (isFirstNoted || !isFirst));
  const nth = [...(isNamed ? [sourceUuid] : []), ...(isFirst ? [] : [version])];
  return {
    requestId,
    kind: isFirst ? "form_ready" : "form_corrected",
    ...(nth.length > 0 ? { occurrence: nth.join(" ") } : {}),
  };
}

export const hasTwoParts = (referrals: readonly Pick<StoredReferral, "medicare">[]): boolean =>
  new Set(referrals.map(({ medicare }) => medicare)).size > 1;

const FORM_KINDS: ReadonlySet<string> = new Set(["form_ready", "form_corrected"]);

export const isFormMail = ({ kind }: Pick<DueNotification, "kind">): boolean =>
  FORM_KINDS.has(kind);

/** The referral whose form a mail names; null where it names none, or is about no form. */
export function formNamedBy({ kind, occurrence = "" }: DueNotification): string | null {
  const [word = ""] = occurrence.split(" ");
  return isFormMail({ kind }) && word.includes("-") ? word : null;
}
