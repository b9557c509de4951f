import type { DueNotification } from "../kernel/notification.ts";
import type { RequestFacts } from "./customer-view.ts";
import { formNamedBy, isFormMail } from "./form-mail.ts";
import type { ReferralRequest } from "./request.ts";

/** By what the journal of mails finds a unit: its reference number is the same in a database that forgot the unit. */
export const topicOfUnit = ({
  environment,
  referenceNumber,
}: Pick<ReferralRequest, "environment" | "referenceNumber">): string[] => [
  "unit",
  environment,
  referenceNumber,
];

/** By what it finds a form: the service's name of the referral. */
export const topicOfForm = (referralUuid: string): string[] => ["form", referralUuid];

/** The referral whose form a mail tells of: the one that it names, or the unit's first. Null where it tells of no form. */
export function formOfMail(
  due: DueNotification,
  { documents }: Pick<RequestFacts, "documents">,
): string | null {
  if (!isFormMail(due)) return null;
  const [first] = documents
    .filter(({ kind }) => kind === "referral")
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  return formNamedBy(due) ?? first?.sourceUuid ?? null;
}
