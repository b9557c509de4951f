import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Box, Page } from "@shopify/polaris";
import { notAllowed } from "../../components/feedback/not-allowed.server.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { openEarlierResults } from "../../modules/privacy/open-earlier-results.ts";
import { openStaffAccess } from "../../modules/privacy/open-staff-access.ts";
import { readStaffView } from "../../modules/privacy/read-staff-view.ts";
import { releaseResults } from "../../modules/referrals/release-result.ts";
import { EarlierResultsCard } from "./earlier-results-card.tsx";
import { HiddenResults } from "./hidden-results.tsx";
import { presentStaffView } from "./present-staff-view.ts";
import { ReleaseCard } from "./release-card.tsx";
import {
  CHANGED_MEANWHILE,
  CONTACT_NEEDED,
  NOTHING_HELD,
  readReleaseForm,
} from "./release-form.ts";
import { ResultCard } from "./result-card.tsx";
import { readStaffAccessForm } from "./staff-access-form.ts";
import { StaffAccessQuestion } from "./staff-access-question.tsx";
import { readTarget } from "./target.ts";

export const meta: MetaFunction = () => [{ title: "Results · Pathway" }];

const NOT_HERE = {
  title: "There are no results here",
  sentence: "No results have arrived for this request, or it isn’t in this store.",
  nextStep: "Go back to the order and read where it stands.",
  back: { label: "Go to Orders and referrals", url: "/app/referrals" },
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const target = readTarget(params);
  const found = target && (await readStaffView(context.app.ports, { shop, actor, ...target }));
  if (!target || !found || found.kind === "not_found") throw data(NOT_HERE, { status: 404 });
  if (found.kind === "not_allowed") throw notAllowed(found);
  return data(presentStaffView(found, target), { headers: { "Cache-Control": "no-store" } });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const target = readTarget(params);
  if (!target) throw data(NOT_HERE, { status: 404 });
  const fields = await readForm(request);
  if (fields.get("intent") === "release-results") {
    const release = readReleaseForm(fields);
    if (release.kind === "invalid") return data({ errors: release.errors }, { status: 422 });
    const { value: record, seen } = release;
    const wish = { shop, actor, requestId: target.requestId, record, seen };
    const released = await releaseResults(context.app.ports, wish);
    if (released.kind === "not_allowed") throw notAllowed(released);
    // No error to the browser: it reads the page again, with what is held now.
    if (released.kind === "changed_meanwhile")
      return data({ errors: { changedMeanwhile: CHANGED_MEANWHILE } });
    if (released.kind === "nothing_held") return data({ errors: { nothingHeld: NOTHING_HELD } });
    if (released.kind === "contact_needed")
      return data({ errors: { contacted: CONTACT_NEEDED } }, { status: 422 });
    // Nothing is left to be seen here of results that their patient has hidden.
    return redirect(
      released.isHidden ? `/app/orders/${params.number}` : new URL(request.url).pathname,
    );
  }
  if (fields.get("intent") === "open-earlier") {
    const opened = await openEarlierResults(context.app.ports, { shop, actor, ...target });
    if (opened.kind === "not_allowed") throw notAllowed(opened);
    // A look that ended meanwhile: the page asks again.
    return redirect(new URL(request.url).pathname);
  }
  const form = readStaffAccessForm(fields);
  if (form.kind === "invalid") return data({ errors: form.errors }, { status: 422 });
  const wish = { shop, actor, ...target, ...form.value };
  const outcome = await openStaffAccess(context.app.ports, wish);
  if (outcome.kind === "nothing_to_show") throw data(NOT_HERE, { status: 404 });
  if (outcome.kind === "not_allowed") throw notAllowed(outcome);
  return redirect(new URL(request.url).pathname);
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function ResultsPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { nothingHeld, ...errors }: Record<string, string> = answer?.errors ?? {};
  return (
    <Page title="Results" subtitle={view.subtitle} backAction={view.back}>
      <BlockStack gap="400">
        {nothingHeld && (
          <Banner tone="critical" title="Nothing was released">
            <p>{nothingHeld}</p>
          </Banner>
        )}
        {view.earlier && view.earlier.hidden + view.earlier.shown.length > 0 && (
          <EarlierResultsCard earlier={view.earlier} />
        )}
        {view.isHidden ? (
          <HiddenResults held={view.held} />
        ) : view.results === null ? (
          <StaffAccessQuestion held={view.held} errors={errors} />
        ) : (
          view.results.map((result) => <ResultCard key={result.id} result={result} />)
        )}
        {(view.isHidden || view.results !== null) && view.held > 0 && (
          <ReleaseCard
            held={view.held}
            isHidden={view.isHidden}
            seen={view.version}
            errors={errors}
          />
        )}
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
