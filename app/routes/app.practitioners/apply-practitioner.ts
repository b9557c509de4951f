import { data } from "@remix-run/node";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import {
  clearPractitionerFault,
  removePractitioner,
  savePractitioner,
} from "../../modules/catalogue/keep-practitioners.ts";
import {
  describeSentAgain,
  PROVIDER_NUMBER_HELP,
} from "../../modules/catalogue/practitioner-words.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import { countOf } from "../../modules/kernel/words.ts";
import type { Ports } from "../../ports.ts";
import { readPractitionerForm } from "./practitioner-form.ts";

const FIELDS: Record<string, string> = {
  label: "the display name",
  name: "the name",
  address: "the practice address",
};

/** The forms of the practitioners' page. An answer names its form by intent and provider number. */
export async function applyPractitioner(
  ports: Pick<Ports, "tenancy" | "clock">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
  formData: FormData,
) {
  const reading = readPractitionerForm(formData);
  const asked = `${String(formData.get("intent"))} ${String(formData.get("key") ?? "")}`;
  const answer = (toast: string) => data<FormAnswer>({ form: asked, toast });
  const refuse = (errors: Record<string, string>) =>
    data<FormAnswer>({ form: asked, errors }, { status: 422 });
  if (reading.kind === "invalid") return refuse(reading.errors);
  const { value } = reading;
  const { providerNumber } = value;
  switch (value.intent) {
    case "add":
    case "change": {
      const { name, address, label, seen } = value;
      const practitioner = { name, address, label, providerNumber };
      const isNew = value.intent === "add";
      const outcome = await savePractitioner(ports, { shop, practitioner, isNew, seen, actor });
      if (outcome.kind === "malformed_number")
        return refuse({ providerNumber: PROVIDER_NUMBER_HELP });
      if (outcome.kind === "taken")
        return refuse({ providerNumber: "This provider number is in your list already." });
      // Its card goes as well, and what was typed in it.
      if (outcome.kind === "gone")
        return data<FormAnswer>({
          form: asked,
          toast: "Nothing was saved: somebody removed this practitioner meanwhile.",
          toastIsError: true,
        });
      if (outcome.kind === "changed_meanwhile") {
        const now = outcome.conflicts.map(({ name, saved }) => `${FIELDS[name]} is now “${saved}”`);
        return refuse({ changedMeanwhile: `Somebody changed this meanwhile: ${now.join(", ")}.` });
      }
      return answer(isNew ? "Practitioner added" : "Practitioner saved");
    }
    case "remove": {
      const outcome = await removePractitioner(ports, { shop, providerNumber, actor });
      if (outcome.kind === "removed") return answer("Practitioner removed");
      const mappings = countOf(outcome.uses.length, "product");
      return refuse({
        remove:
          outcome.uses.length === 1
            ? "A product is ordered under this number. Choose another practitioner for it first."
            : `${mappings} are ordered under this number. Choose another practitioner for them first.`,
      });
    }
    case "fixed": {
      const sentAgain = await clearPractitionerFault(ports, { shop, providerNumber, actor });
      return answer(`Noted. ${describeSentAgain(sentAgain) || "New orders go out as usual."}`);
    }
  }
}
