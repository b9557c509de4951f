import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Actor } from "../../modules/kernel/timeline.ts";
import type { Words } from "../../modules/kernel/words.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { ENVIRONMENT_NAMES, testToast } from "../../modules/lifecycle/connection-words.ts";
import { describeCheck } from "../../modules/lifecycle/preflight-words.ts";
import { saveConnection } from "../../modules/lifecycle/save-connection.ts";
import { savePolicies } from "../../modules/lifecycle/save-policies.ts";
import { testConnection } from "../../modules/lifecycle/test-connection.ts";
import { saveRetention } from "../../modules/privacy/save-retention.ts";
import { CLINICAL_TEXTS_VERSION } from "../../modules/referrals/clinical-texts.ts";
import { describeConflicts } from "../../modules/reports/change-words.ts";
import { MAX_RECIPIENTS } from "../../modules/shops/alert.ts";
import { disconnect } from "../../modules/shops/disconnect.ts";
import type { NotAllowed } from "../../modules/shops/may-do.ts";
import { askAboutWaiting } from "../../modules/shops/policy-words.ts";
import { readStoreFacts } from "../../modules/shops/read-store-facts.ts";
import { removeAlertRecipient, saveAlerts } from "../../modules/shops/save-alerts.ts";
import { saveNotice } from "../../modules/shops/save-notice.ts";
import { saveReminders } from "../../modules/shops/save-reminders.ts";
import type { SaveOutcome } from "../../modules/shops/save-settings.ts";
import { selfTestEvents } from "../../modules/shops/self-test.ts";
import { describeSelfTest } from "../../modules/shops/self-test-words.ts";
import { refuse } from "../../modules/shops/staff-words.ts";
import { tolerate } from "../../platform/tolerate.ts";
import type { Ports } from "../../ports.ts";
import type { SettingsForm } from "./settings-form.ts";

export type SettingsAnswer = FormAnswer & { selfTest?: Words & { isPassed: boolean } };
type Result = Omit<SettingsAnswer, "form">;

/** Does what a valid form asks for, and puts the outcome into words. */
export async function applySettings(
  ports: Ports,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
  value: SettingsForm,
): Promise<Result> {
  switch (value.intent) {
    case "save-connection": {
      const { input, shown } = value;
      const outcome = await saveConnection(ports, { shop, input, seen: shown, actor });
      if (outcome.kind === "not_allowed" || outcome.kind === "changed_meanwhile")
        return saved(outcome);
      if (outcome.kind === "credentials_needed")
        return { errors: { clientSecret: "Enter the client secret." } };
      if (outcome.kind === "signature_needed")
        return {
          errors: { signingScheme: "Production events must be signed. Choose a signature." },
        };
      return outcome.test.kind === "ok"
        ? testToast(outcome.test)
        : {
            toast:
              "The connection was saved, but its test failed. Read below why, then test it again.",
            toastIsError: true,
          };
    }
    case "test-connection":
      return testToast(await testConnection(ports, { shop, environment: value.environment }));
    case "self-test": {
      const outcome = await selfTestEvents(ports, { shop, environment: value.environment });
      const words = describeSelfTest(outcome);
      const selfTest = { isPassed: outcome.kind === "handled", ...words };
      return { selfTest };
    }
    case "disconnect": {
      const outcome = await disconnect(ports, { shop, environment: value.environment, actor });
      if (outcome.kind === "not_allowed") {
        const { sentence } = refuse(outcome.right);
        return { ...refused(outcome), toast: sentence, toastIsError: true };
      }
      return outcome.kind === "disconnected"
        ? { toast: `${ENVIRONMENT_NAMES[value.environment]} disconnected` }
        : { toast: "Send new orders to staging first", toastIsError: true };
    }
    case "read-permissions":
      await readStoreFacts(ports, { shop });
      return {};
    case "save-reminders": {
      const { reminders, seen } = value;
      const wish = { shop, reminders, seen: seen?.reminders, actor };
      return saved(await saveReminders(ports, wish));
    }
    case "save-alerts": {
      const { id, choice, seen } = value;
      const wish = { shop, id, wished: choice, seen: seen?.choice, actor };
      const outcome = await saveAlerts(ports, wish);
      switch (outcome.kind) {
        case "known_address":
          return {
            errors: { email: "This address is in the list already. Choose its alerts there." },
          };
        case "too_many":
          return {
            errors: { email: `At most ${MAX_RECIPIENTS} people can get alerts. Remove one first.` },
          };
        case "gone":
          return { errors: { changedMeanwhile: "Somebody removed this address meanwhile." } };
        default:
          return saved(outcome);
      }
    }
    case "remove-alerts": {
      const outcome = await removeAlertRecipient(ports, { shop, id: value.id, actor });
      return outcome.kind === "saved" ? { toast: "Removed" } : refused(outcome);
    }
    case "save-notice": {
      const { notice, seen } = value;
      return saved(await saveNotice(ports, { shop, notice, seen: seen?.notice, actor }));
    }
    case "save-retention": {
      const { months, seen } = value;
      return saved(await saveRetention(ports, { shop, months, seen: seen?.months, actor }));
    }
    case "save-policies": {
      const { policies, seen, cancelWaiting, acceptClinicalTexts: isAccepted } = value;
      const clinicalTexts = { version: CLINICAL_TEXTS_VERSION, isAccepted };
      const wish = { shop, policies, seen: seen?.policies, clinicalTexts, cancelWaiting, actor };
      const outcome = await savePolicies(ports, wish);
      switch (outcome.kind) {
        case "saved":
          // The merchant was just asked for the scopes: the page says what became of it. A job asks too, until it knows.
          if (policies.tagOrders || policies.markFulfilled)
            await readStoreFacts(ports, { shop }).catch(
              tolerate(ports.logger, "settings.read-store-facts"),
            );
          return {
            toast:
              outcome.cancelled > 0
                ? `Settings saved, ${countOf(outcome.cancelled, "test")} cancelled`
                : "Settings saved",
          };
        case "changed_meanwhile":
        case "not_allowed":
          return saved(outcome);
        case "waiting_changed":
          return { errors: { waitingRefunds: `By now: ${askAboutWaiting(outcome.waiting)}` } };
        case "reviewer_needed":
          return {
            errors: { reviewerName: "Name who reviews the results that this policy holds." },
          };
        case "texts_not_accepted":
          return {
            errors: { acceptClinicalTexts: "Read and accept the texts before going live." },
          };
        case "not_ready":
          return {
            errors: { environment: outcome.checks.map((one) => describeCheck(one).text).join(" ") },
          };
        case "not_connected":
          return { errors: { environment: "Connect this environment first." } };
      }
    }
  }
}

/** The answer to a save that is field by field. */
function saved(outcome: SaveOutcome): Result {
  switch (outcome.kind) {
    case "saved":
      return { toast: "Settings saved" };
    case "changed_meanwhile": {
      const names = describeConflicts(outcome.settings);
      const who = outcome.byName ?? "Somebody else";
      return { errors: { changedMeanwhile: `${who} changed this meanwhile: ${names}.` } };
    }
    case "not_allowed":
      return refused(outcome);
  }
}

/** Says why somebody's role does not let them, under the name `role`, which no field has: nothing was saved. */
function refused({ right }: NotAllowed): Result {
  const { sentence, nextStep } = refuse(right);
  return { errors: { role: `${sentence} ${nextStep}` } };
}
