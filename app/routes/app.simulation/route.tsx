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
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { keepShown } from "../../components/loading/looks.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { readSimulations } from "../../modules/reports/read-simulations.ts";
import { startSimulation } from "../../modules/reports/start-simulation.ts";
import { EarlierSimulations } from "./earlier-simulations.tsx";
import { PlanCard } from "./plan-card.tsx";
import { presentSimulations } from "./present-simulations.ts";
import { SimulationCard } from "./simulation-card.tsx";
import { StartCard } from "./start-card.tsx";

export const meta: MetaFunction = () => [{ title: "Simulation · Pathway" }];

const startForm = z.object({
  intent: z.literal("simulate"),
  variantId: z
    .string()
    .regex(/^gid:\/\/shopify\/ProductVariant\/\d+$/)
    .transform((value) => gid("ProductVariant", value)),
  title: z.string().max(500),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { ports } = context.app;
  return presentSimulations(context.app, await explainStore(readSimulations(ports, shop)));
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const form = startForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) throw data(null, { status: 400 });
  const outcome = await startSimulation(context.app.ports, { shop, actor, ...form.data });
  return { form: "simulate", ...SAID[outcome.kind] } satisfies FormAnswer;
}

const SAID = {
  started: { toast: "Simulation started" },
  already_running: {
    toast: "A simulation is running already. Wait until it ends, then start yours.",
    toastIsError: true,
  },
  not_mapped: {
    toast: "This product isn’t mapped for staging. Map it, then simulate it.",
    toastIsError: true,
  },
};

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function SimulationPage() {
  const { isConnected, simulatable, latest, earlier } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Simulation"
      subtitle="Run a simulated order from purchase to results. Nobody is charged. Your store emails nobody."
    >
      <BlockStack gap="400">
        <StartCard
          isConnected={isConnected}
          simulatable={simulatable}
          isRunning={latest?.isRunning ?? false}
        />
        {!latest && isConnected && simulatable.length > 0 && <PlanCard />}
        {latest && <SimulationCard key={latest.id} simulation={latest} />}
        {earlier.length > 0 && <EarlierSimulations simulations={earlier} />}
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
