import { data } from "@remix-run/node";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { undoMapping } from "../../modules/catalogue/undo-mapping.ts";
import { undoRun } from "../../modules/catalogue/undo-run.ts";
import { describeUndo } from "../../modules/catalogue/undo-words.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { uuidSchema } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import type { Ports } from "../../ports.ts";
import { UNDO_FORM } from "./undo-form-name.ts";

type By = { shop: ShopDomain; actor: Actor };

const TOO_OLD = "It can’t be undone any more. Map it anew.";

/** Undoes one save or removal. */
export async function applyUndo(
  ports: Pick<Ports, "tenancy" | "clock">,
  by: By,
  formData: FormData,
) {
  const changeId = uuidSchema.safeParse(formData.get("changeId"));
  if (!changeId.success) throw data(null, { status: 400 });
  const outcome = await undoMapping(ports, { ...by, changeId: changeId.data });
  if (outcome.kind === "unknown") return said(TOO_OLD, true);
  const { sentence, isError } = describeUndo(outcome.places);
  return said(sentence, isError);
}

/** Starts the undo of a change of many mappings. */
export async function applyUndoRun(
  ports: Pick<Ports, "tenancy" | "clock">,
  by: By,
  formData: FormData,
) {
  const runId = uuidSchema.safeParse(formData.get("runId"));
  if (!runId.success) throw data(null, { status: 400 });
  const outcome = await undoRun(ports, { ...by, runId: runId.data });
  switch (outcome.kind) {
    case "started":
      return said("Putting the mappings back", false);
    case "nothing":
      return said("There is nothing left to undo", true);
    case "busy":
      return said("Another change is under way. Wait until it is done, or cancel it.", true);
  }
}

const said = (toast: string, toastIsError: boolean) =>
  data<FormAnswer>({ form: UNDO_FORM, toast, toastIsError });
