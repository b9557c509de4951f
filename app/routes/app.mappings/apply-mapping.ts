import { data } from "@remix-run/node";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { MappingChangedMeanwhile } from "../../modules/catalogue/mapping-version.ts";
import { describeOtherwise } from "../../modules/catalogue/mapping-words.ts";
import { describeSentAgain } from "../../modules/catalogue/practitioner-words.ts";
import { removeMapping, saveMapping } from "../../modules/catalogue/save-mapping.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { readSettings } from "../../modules/reports/read-settings.ts";
import type { Ports } from "../../ports.ts";
import { readMappingForm, readRemovalForm } from "./mapping-form.ts";
import { MAPPING_FORM } from "./mapping-form-name.ts";

/** Saves what the form says a variant means; 422 with a sentence for each field that is wrong. */
export async function applyMapping(
  ports: Pick<Ports, "tenancy" | "clock" | "emailByService">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
  formData: FormData,
) {
  const refuse = (errors: Record<string, string>) =>
    data<FormAnswer>({ form: MAPPING_FORM, errors }, { status: 422 });
  const reading = readMappingForm(formData);
  if (reading.kind === "invalid") return refuse(reading.errors);
  const { policies } = await readSettings(ports, shop);
  const mapping = reading.mappingIn(policies.environment);
  const { isPractitionerChosen, heir, seen } = reading;
  const wish = { shop, mapping, actor, isPractitionerChosen, heir, seen };
  const outcome = await saveMapping(ports, wish);
  if (outcome.kind === "changed_meanwhile")
    return refuse({ changedMeanwhile: describeMeanwhile(outcome) });
  if (outcome.kind === "invalid") return refuse({ [outcome.field]: outcome.message });
  const { ordersWaiting, unsentOtherwise, sentAgain } = outcome;
  const consequences = [
    ordersWaiting > 0
      ? `${countOf(ordersWaiting, "order")} that sold it ${ordersWaiting === 1 ? "is" : "are"} being handled now.`
      : "",
    describeSentAgain(sentAgain),
    describeOtherwise(unsentOtherwise),
  ].filter(Boolean);
  const toast =
    consequences.length > 0 ? `Mapping saved. ${consequences.join(" ")}` : "Mapping saved";
  return data<FormAnswer>({ form: MAPPING_FORM, toast });
}

/** Takes back what a variant means. */
export async function applyRemoval(
  ports: Pick<Ports, "tenancy" | "clock">,
  by: { shop: ShopDomain; actor: Actor },
  formData: FormData,
) {
  const which = readRemovalForm(formData);
  if (!which)
    return data<FormAnswer>(
      { form: MAPPING_FORM, errors: { variantId: "Reload the page and try again." } },
      { status: 422 },
    );
  const outcome = await removeMapping(ports, { ...by, ...which });
  if (outcome.kind === "removed")
    return data<FormAnswer>({ form: MAPPING_FORM, toast: "Mapping removed" });
  const toast = `Nothing was removed. ${describeMeanwhile(outcome)} Look at it first.`;
  return data<FormAnswer>({ form: MAPPING_FORM, toast, toastIsError: true });
}

const describeMeanwhile = ({ byName }: MappingChangedMeanwhile) =>
  `${byName ?? "Somebody else"} changed this mapping meanwhile.`;
