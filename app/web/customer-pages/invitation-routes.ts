import { unitName } from "../../../extensions/shared/unit-name.ts";
import { customerWords } from "../../modules/access/customer-words.ts";
import { invitePatient, revokeInvitation } from "../../modules/access/invite-patient.ts";
import { LinkRefused } from "../../modules/access/link-access.ts";
import type { CustomerRequest } from "../../modules/access/list-requests.ts";
import { type Answer, type Call, unitOf } from "./call.ts";
import { invitationPage } from "./invitation-page.tsx";
import { cancelledPage, messagePage, notFoundPage } from "./message-pages.tsx";
import type { PageContext } from "./page-context.ts";
import { goTo } from "./page-response.tsx";

/** Says in the address of the tests that an invitation was cancelled just now. */
export const CANCELLED = "cancelled";

const named = (unit: CustomerRequest) => ({ ...unit, title: unitName(unit, customerWords) });

/** Shows the form that hands a test over to its patient. */
export async function showInvitation(call: Call): Answer {
  const unit = await unitOf(call);
  if (!unit) return notFoundPage(call.context.base);
  if (unit.access.details !== "granted") throw new LinkRefused("other_purpose");
  if (!unit.canHandOver) return invitationLatePage(unit, call.context);
  return invitationPage({ ...named(unit), email: "", error: null, status: 200 }, call.context);
}

const invitationLatePage = (unit: CustomerRequest | null, context: PageContext) =>
  unit?.state === "cancelled"
    ? cancelledPage(context)
    : messagePage("and_here.hand_over_late", { status: 409, back: context.base });

/** Mails the patient an invitation: the test is theirs from now on. */
export async function sendToPatient(call: Call): Answer {
  const { ports, viewerScope, context, id, form } = call;
  const unit = await unitOf(call);
  const typed = form.get("email");
  const email = typeof typed === "string" ? typed.slice(0, 500) : "";
  const outcome = await invitePatient(ports, { ...viewerScope, requestId: id, email });
  switch (outcome.kind) {
    case "handed_over":
      return goTo(context.base);
    case "invalid": {
      const error = outcome.errors[0]?.message ?? "";
      return unit
        ? invitationPage({ ...named(unit), email, error, status: 422 }, context)
        : notFoundPage(context.base);
    }
    case "not_found":
      return notFoundPage(context.base);
    case "too_late":
      return invitationLatePage(unit, context);
    case "too_often":
      return messagePage("and_here.too_often", { status: 429, back: context.base });
  }
}

/** Takes a test back whose invitation nobody has answered. Pressed twice, it is theirs already. */
export async function cancelInvitation(call: Call): Answer {
  const { ports, viewerScope, context, id } = call;
  const outcome = await revokeInvitation(ports, { ...viewerScope, requestId: id });
  switch (outcome.kind) {
    case "taken_back":
      return goTo(`${context.base}?${CANCELLED}=1`);
    case "not_found":
      return (await unitOf(call))?.canHandOver
        ? goTo(`${context.base}?${CANCELLED}=1`)
        : notFoundPage(context.base);
    case "too_late":
      return invitationLatePage(await unitOf(call), context);
  }
}
