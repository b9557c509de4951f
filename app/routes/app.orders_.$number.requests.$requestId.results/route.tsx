import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Page } from "@shopify/polaris";
import { readForm } from "../../components/form/read-form.server.ts";
import { readRevealed } from "../../modules/privacy/read-revealed.ts";
import { revealResults } from "../../modules/privacy/reveal-results.ts";
import { releaseResults } from "../../modules/referrals/release-result.ts";
import { presentRevealed } from "./present-revealed.ts";
import { ReleaseCard } from "./release-card.tsx";
import { CONTACT_NEEDED, readReleaseForm } from "./release-form.ts";
import { ResultCard } from "./result-card.tsx";
import { readRevealForm } from "./reveal-form.ts";
import { RevealQuestion } from "./reveal-question.tsx";
import { readTarget } from "./target.ts";

export const meta: MetaFunction = () => [{ title: "Results · Pathway" }];

const NOT_HERE = {
  title: "There are no results here",
  sentence: "No results have arrived for this request, or it isn’t in this store.",
  nextStep: "Go back to the order and read where it stands.",
  back: { label: "Go to Orders and referrals", url: "/app/referrals" },
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const target = readTarget(params);
  const actor = `staff:${sessionToken?.sub ?? "unknown"}` as const;
  const found = target && (await readRevealed(context.app.ports, { shop, actor, ...target }));
  if (!target || !found || found.kind === "not_found") throw data(NOT_HERE, { status: 404 });
  return data(presentRevealed(found, target), { headers: { "Cache-Control": "no-store" } });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const target = readTarget(params);
  if (!target) throw data(NOT_HERE, { status: 404 });
  const staff = `staff:${sessionToken?.sub ?? "unknown"}` as const;
  const fields = await readForm(request);
  if (fields.get("intent") === "release-results") {
    const release = readReleaseForm(fields);
    if (release.kind === "invalid") return data({ errors: release.errors }, { status: 422 });
    const wish = { shop, actor: staff, requestId: target.requestId, record: release.value };
    const { kind } = await releaseResults(context.app.ports, wish);
    return kind === "contact_needed"
      ? data({ errors: { contacted: CONTACT_NEEDED } }, { status: 422 })
      : redirect(new URL(request.url).pathname);
  }
  const form = readRevealForm(fields);
  if (form.kind === "invalid") return data({ errors: form.errors }, { status: 422 });
  const wish = { shop, actor: staff, ...target, ...form.value };
  const outcome = await revealResults(context.app.ports, wish);
  if (outcome.kind === "nothing_to_show") throw data(NOT_HERE, { status: 404 });
  return redirect(new URL(request.url).pathname);
}

export default function ResultsPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page title="Results" subtitle={view.subtitle} backAction={view.back}>
      <BlockStack gap="400">
        {view.results === null ? (
          <RevealQuestion errors={answer?.errors ?? {}} />
        ) : (
          view.results.map((result) => <ResultCard key={result.id} result={result} />)
        )}
        {view.held > 0 && <ReleaseCard held={view.held} errors={answer?.errors ?? {}} />}
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
