import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Box, Page } from "@shopify/polaris";
import { notAllowed } from "../../components/feedback/not-allowed.server.ts";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { endVisitsForPatient } from "../../modules/privacy/end-visits-for-patient.ts";
import { eraseForPatient } from "../../modules/privacy/erase-own-data.ts";
import { readPatientTests } from "../../modules/privacy/read-patient-tests.ts";
import { readRights } from "../../modules/shops/may-do.ts";
import { PatientTestCard } from "./patient-test-card.tsx";
import { presentPrivacy } from "./present-privacy.ts";
import { readPrivacyForm } from "./privacy-form.ts";

export const meta: MetaFunction = () => [{ title: "A patient’s data · Pathway" }];

const NOT_HERE = {
  title: "Pathway doesn’t have this order",
  sentence: "Only orders that are paid appear here, within seconds of the payment.",
  nextStep: "Find the order in the list, then choose “Download or delete a patient’s data”.",
  back: { label: "Go to Orders and referrals", url: "/app/referrals" },
};

const CHANGED =
  "Nothing was deleted: the test has changed since this page was opened. Read what is deleted now, then choose again.";

const UNMATCHED =
  "Pathway couldn’t read all details that the customer saved for next tests, so the patient may still be among them. The order’s timeline says what to do.";

const OTHERS =
  "Nobody was signed out: the test has changed since this page was opened. Check again who asks, then choose again.";

const orderIdOf = (number = "") => (/^\d{1,20}$/.test(number) ? gid("Order", number) : null);

/** /app/orders/{number}/privacy: what the shop does for a patient who asks to have or delete their data. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const rights = await readRights(context.app.ports, { shop, actor });
  if (!rights.includes("export_data"))
    throw notAllowed({ kind: "not_allowed", right: "export_data" });
  const orderId = orderIdOf(params.number);
  const found = orderId && (await readPatientTests(context.app.ports, { shop, orderId }));
  if (!orderId || !found) throw data(NOT_HERE, { status: 404 });
  return presentPrivacy(found, orderId);
}

/** Deletes one test's data for its patient, or ends the visits by emailed links to whoever holds it. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const orderId = orderIdOf(params.number);
  if (!orderId) throw data(NOT_HERE, { status: 404 });
  const fields = await readForm(request);
  const form = String(fields.get("requestId") ?? "");
  const reading = readPrivacyForm(fields);
  if (reading.kind === "invalid")
    return data<FormAnswer>({ form, errors: reading.errors }, { status: 422 });
  const { intent, requestId, seen = null } = reading.value;
  // The file has an address of its own: whoever wants it must not have the data deleted.
  if (intent === "take") throw data(null, { status: 400 });
  const wish = { shop, orderId, requestId, actor, seen };
  if (intent === "sign_out") {
    const ended = await endVisitsForPatient(context.app.ports, wish);
    if (ended.kind === "not_found") throw data(NOT_HERE, { status: 404 });
    if (ended.kind === "not_allowed") throw notAllowed(ended);
    if (ended.kind === "changed_meanwhile")
      return data<FormAnswer>({ form, toast: OTHERS, toastIsError: true });
    const told = ended.visits === 0 ? "Nobody was signed in" : "Signed out everywhere";
    return data<FormAnswer>({ form, toast: told });
  }
  const outcome = await eraseForPatient(context.app.ports, wish);
  if (outcome.kind === "not_found") throw data(NOT_HERE, { status: 404 });
  if (outcome.kind === "not_allowed") throw notAllowed(outcome);
  if (outcome.kind === "changed_meanwhile")
    return data<FormAnswer>({ form, toast: CHANGED, toastIsError: true });
  const toast =
    outcome.kind === "erased" ? "The data is deleted" : "The data is deleted in a minute";
  if (outcome.unmatched)
    return data<FormAnswer>({ form, toast: `${toast}. ${UNMATCHED}`, toastIsError: true });
  return data<FormAnswer>({ form, toast });
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function PrivacyPage() {
  const { back, subtitle, tests } = useLoaderData<typeof loader>();
  return (
    <Page title="A patient’s data" subtitle={subtitle} backAction={back}>
      <BlockStack gap="400">
        <Banner tone="info" title="For a patient who asks your shop">
          Patients and customers can do this by themselves, on “Your data and privacy” in their
          account or behind the link in any of our emails. Do it here when they can’t, and for a
          patient whose details the buyer gave. This page shows nothing of what is held, but the
          download does: hand it over safely, and delete your copy. Who does it, and when, is
          recorded, and the owner of the test can read that.
        </Banner>
        {tests.map((test) => (
          <PatientTestCard key={test.id} test={test} />
        ))}
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
