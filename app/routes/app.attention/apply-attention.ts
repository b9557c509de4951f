import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import { doToOrder } from "../../modules/reports/do-to-order.ts";
import { markHandled } from "../../modules/reports/mark-handled.ts";
import { reopenHandled } from "../../modules/reports/reopen-handled.ts";
import { describeReopened } from "../../modules/reports/reopen-words.ts";
import type { Ports } from "../../ports.ts";
import type { AttentionForm } from "./attention-form.ts";

/** Does what staff ask for about one item, and says what happens now. */
export async function applyAttention(
  ports: Pick<Ports, "tenancy" | "clock">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
  form: AttentionForm,
): Promise<FormAnswer> {
  const target = { shop, actor, orderId: form.order };
  if (form.intent === "undo-handled") {
    const outcome = await reopenHandled(ports, { ...target, reason: form.reason, isUndo: true });
    return { form: "undo-handled", ...describeReopened(outcome) };
  }
  const { seen = null, reason } = form;
  if (form.intent === "handled") {
    const { kind } = await markHandled(ports, { ...target, reason, seen });
    return kind === "marked" ? said("Marked as handled") : refused();
  }
  const shown = seen === null ? null : { [reason]: seen };
  const asked = { ...target, action: form.intent, reasons: [reason], seen: shown };
  const outcome = await doToOrder(ports, asked);
  if (outcome === "nothing_to_do" || outcome === "changed_meanwhile") return refused();
  return said(form.intent === "retry" ? "Sending it again" : "Released: it’s being sent");
}

const said = (toast: string): FormAnswer => ({ form: "attention", toast });
/** Somebody, or the service, was first: what the page says now is another thing, or nothing. */
const refused = (): FormAnswer => ({
  form: "attention",
  toast:
    "Nothing was done: this has changed since the page was opened. Read where it stands now, then choose again.",
  toastIsError: true,
});
