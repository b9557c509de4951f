import { type ActionFunctionArgs, data } from "@remix-run/node";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { applyMaintenance } from "./apply-maintenance.ts";
import { applySettings } from "./apply-settings.ts";
import { readMaintenanceForm } from "./maintenance-form.ts";
import { readSettingsForm } from "./settings-form.ts";

/**
 * The forms of every page of the settings; one that is refused answers 422 with a sentence for each field. `/app/settings`
 * takes them all, as programs send them.
 */
export async function settingsAction({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const fields = await readForm(request);
  const maintenance = readMaintenanceForm(fields);
  if (maintenance.kind === "invalid")
    return data({ form: maintenance.form, errors: maintenance.errors }, { status: 422 });
  if (maintenance.kind === "valid") {
    const result = await applyMaintenance(context.app.ports, { shop, actor }, maintenance.value);
    const answer: FormAnswer = { form: maintenance.form, ...result };
    return data(answer, { status: statusOf(answer) });
  }
  const reading = readSettingsForm(fields);
  if (reading.kind === "unknown") throw data(null, { status: 400 });
  const { form } = reading;
  if (reading.kind === "invalid") return data({ form, errors: reading.errors }, { status: 422 });
  const result = await applySettings(context.app.ports, { shop, actor }, reading.value);
  return data({ form, ...result }, { status: statusOf(result) });
}

/** 403 for what somebody's role does not let them do, 422 for fields that do not fit. */
const statusOf = ({ errors }: Pick<FormAnswer, "errors">) =>
  errors?.role ? 403 : errors ? 422 : 200;
