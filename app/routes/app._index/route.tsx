import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Page } from "@shopify/polaris";
import { z } from "zod";
import { BrokenBanner } from "../../components/feedback/broken-banner.tsx";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { keepShown } from "../../components/loading/looks.ts";
import { useRereadingOnReturn } from "../../components/loading/use-rereading.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { askForBulkReorder } from "../../modules/referrals/reorder-billing-failed.ts";
import { dismissSetup, readHome, readTrends } from "../../modules/reports/read-home.ts";
import { AttentionCard } from "./attention-card.tsx";
import { BillingBanner } from "./billing-banner.tsx";
import { BlocksCard } from "./blocks-card.tsx";
import { HealthCard } from "./health-card.tsx";
import { OtherNameBanner } from "./other-name-banner.tsx";
import { presentHome, presentTrends } from "./present-home.ts";
import { SetupGuide } from "./setup-guide.tsx";
import { StageTiles } from "./stage-tiles.tsx";
import { TrendsCards } from "./trends-cards.tsx";
import { UnheardBanner } from "./unheard-banner.tsx";

export const meta: MetaFunction = () => [{ title: "Home · Pathway" }];

/** The part beneath the fold follows when it is known. When that part fails, the rest of the page is there. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { ports, readWorkHealth } = context.app;
  const { logger } = ports;
  const [overview, work] = await Promise.all([readHome(ports, shop), readWorkHealth(shop)]);
  const home = presentHome(context.app, overview, work);
  const trends = readTrends(ports, shop).then(presentTrends, (error: unknown) => {
    logger.warn({ shop, err: error }, "home could not read its trends");
    return null;
  });
  return { ...home, trends };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const form = "reorder-billing-failed";
  const fields = await readForm(request);
  const intent = fields.get("intent");
  if (intent === "dismiss-setup") {
    await dismissSetup(context.app.ports, { shop, isDismissed: true });
    return { form: intent };
  }
  if (intent !== form) throw data(null, { status: 400 });
  const seen = SEEN.safeParse(fields.get("seen"));
  const asked = await askForBulkReorder(context.app.ports, {
    ...{ shop, actor, seen: seen.success ? seen.data : null },
  });
  switch (asked.kind) {
    case "asked":
      return { form, toast: "Ordering them again", toastIsError: false };
    case "nothing_failed":
      return { form, toast: "Nothing is left to order again", toastIsError: true };
    case "more_meanwhile":
      return { form, toast: moreMeanwhile(asked.failed), toastIsError: true };
  }
}

/** How many tests the page named. */
const SEEN = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const moreMeanwhile = (failed: number) =>
  `Nothing was ordered: by now the service couldn’t charge for ${countOf(failed, "test")}. Read what they cost, then order again.`;

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function HomePage() {
  const view = useLoaderData<typeof loader>();
  useRereadingOnReturn();
  const attention = <AttentionCard items={view.attention} hasMore={view.hasMoreAttention} />;
  // The guide fills the window of a phone, and somebody's health cannot wait beneath it.
  const isAbove = view.isGuideShown && view.attention.some(({ isForToday }) => isForToday);
  return (
    <Page title="Home">
      <BlockStack gap="400">
        <OtherNameBanner words={view.otherName} />
        <UnheardBanner unheard={view.unheard} />
        <BillingBanner billing={view.billing} />
        {!view.isGuideShown && <BrokenBanner count={view.brokenMappings} />}
        {isAbove && attention}
        {view.isGuideShown && <SetupGuide steps={view.steps} />}
        {view.isGuideShown && <BlocksCard accounts={view.accounts} />}
        <StageTiles tiles={view.tiles} />
        <div className="pathway-order">
          {!isAbove && attention}
          <div className="pathway-order-facts">
            <HealthCard health={view.health} now={view.now} />
          </div>
          <BlockStack gap="400">
            <TrendsCards trends={view.trends} now={view.now} />
          </BlockStack>
        </div>
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
