import { data } from "@remix-run/node";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { publishAll } from "../../modules/catalogue/publish-details.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import type { Ports } from "../../ports.ts";
import { applyBulk } from "./apply-bulk.ts";
import { applyMapping, applyRemoval } from "./apply-mapping.ts";
import { applyUndo, applyUndoRun } from "./apply-undo.ts";

/** The forms of the mapping pages, told apart by their intent. */
export async function applyAction(
  ports: Ports,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
  formData: FormData,
) {
  switch (formData.get("intent")) {
    case "bulk":
      return applyBulk(ports, { shop, actor }, formData);
    case "remove":
      return applyRemoval(ports, { shop, actor }, formData);
    case "undo":
      return applyUndo(ports, { shop, actor }, formData);
    case "undo-run":
      return applyUndoRun(ports, { shop, actor }, formData);
    case "publish":
      await publishAll(ports, shop);
      return data<FormAnswer>({ form: "publish", toast: "Product pages are being written" });
    default:
      return applyMapping(ports, { shop, actor }, formData);
  }
}
