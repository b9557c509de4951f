import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Page } from "@shopify/polaris";
import { z } from "zod";
import { explainStore } from "../../components/feedback/explain-store.server.ts";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { readRehearsals } from "../../modules/reports/read-rehearsals.ts";
import { startRehearsal } from "../../modules/reports/start-rehearsal.ts";
import { EarlierRehearsals } from "./earlier-rehearsals.tsx";
import { PlanCard } from "./plan-card.tsx";
import { presentRehearsals } from "./present-rehearsals.ts";
import { RehearsalCard } from "./rehearsal-card.tsx";
import { StartCard } from "./start-card.tsx";

export const meta: MetaFunction = () => [{ title: "Rehearsal · Pathway" }];

const startForm = z.object({
  intent: z.literal("rehearse"),
  variantId: z
    .string()
    .regex(/^gid:\/\/shopify\/ProductVariant\/\d+$/)
    .transform((value) => gid("ProductVariant", value)),
  title: z.string().max(500),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { ports } = context.app;
  return presentRehearsals(context.app, await explainStore(readRehearsals(ports, shop)));
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const form = startForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) throw data(null, { status: 400 });
  const actor = `staff:${sessionToken?.sub ?? "unknown"}` as const;
  const outcome = await startRehearsal(context.app.ports, { shop, actor, ...form.data });
  return { form: "rehearse", ...SAID[outcome.kind] } satisfies FormAnswer;
}

const SAID = {
  started: { toast: "The rehearsal has begun" },
  already_running: { toast: "A rehearsal is running already", toastIsError: true },
  not_mapped: { toast: "Map this product for staging first", toastIsError: true },
};

export default function RehearsalPage() {
  const { isConnected, rehearsable, latest, earlier } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Rehearsal"
      subtitle="One made-up order, walked through staging to its results. Nobody is charged, nobody gets mail from your store."
    >
      <BlockStack gap="400">
        <StartCard
          isConnected={isConnected}
          rehearsable={rehearsable}
          isRunning={latest?.isRunning ?? false}
        />
        {!latest && isConnected && rehearsable.length > 0 && <PlanCard />}
        {latest && <RehearsalCard key={latest.id} rehearsal={latest} />}
        {earlier.length > 0 && <EarlierRehearsals rehearsals={earlier} />}
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
