import { data } from "@remix-run/node";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { startRun } from "../../modules/catalogue/start-run.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import { countOf } from "../../modules/kernel/words.ts";
import type { Ports } from "../../ports.ts";
import { readBulkForm } from "./bulk-form.ts";
import { BULK_FORM } from "./bulk-form-name.ts";

/** Starts a change of many mappings, or says why not. */
export async function applyBulk(
  ports: Ports,
  by: { shop: ShopDomain; actor: Actor },
  formData: FormData,
) {
  const refuse = (sentence: string, status = 422) =>
    data<FormAnswer>({ form: BULK_FORM, errors: { bulk: sentence } }, { status });
  const reading = readBulkForm(formData);
  if (!reading) return refuse("Reload the page and choose again.", 400);
  const outcome = await startRun(ports, { ...by, ...reading });
  switch (outcome.kind) {
    case "started":
      return data<FormAnswer>({
        form: BULK_FORM,
        toast: [
          `Changing ${countOf(outcome.rows, "variant")}`,
          outcome.leftOut > 0 && `${outcome.leftOut} left out: see the report`,
        ]
          .filter(Boolean)
          .join(". "),
      });
    case "busy":
      return refuse("Another change is under way. Wait until it is done, or cancel it.", 409);
    case "nothing":
      return refuse(
        reading.wish.kind === "suggest"
          ? "None of these has a suggestion that is clear enough. Map them one by one."
          : "There is nothing to change.",
      );
    case "too_many":
      return refuse(`That is more than ${countOf(outcome.limit, "variant")}. Narrow the search.`);
    case "invalid":
      return refuse(outcome.message);
  }
}
