import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Card, Page, Text } from "@shopify/polaris";
import { useState } from "react";
import { BulkProgress } from "../../components/bulk/bulk-progress.tsx";
import { BulkQuestion } from "../../components/bulk/bulk-question.tsx";
import { useBulk } from "../../components/bulk/use-bulk.ts";
import { BrokenBanner } from "../../components/feedback/broken-banner.tsx";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { Empty } from "../../components/lists/empty.tsx";
import { keepShown } from "../../components/loading/looks.ts";
import { useRereadingOnReturn } from "../../components/loading/use-rereading.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { readAttention } from "../../modules/reports/read-orders.ts";
import { readPage } from "../app.referrals/order-selection.ts";
import { applyAttention } from "./apply-attention.ts";
import { TodayEntry } from "./attention-entry.tsx";
import { attentionForm } from "./attention-form.ts";
import { AttentionList } from "./attention-list.tsx";
import { type HandledItem, HandledNotice } from "./handled-notice.tsx";
import { presentAttention } from "./present-attention.ts";
import { ReasonTabs } from "./reason-tabs.tsx";

const PAGE_SIZE = 25;
const REASON = /^[a-z_]{1,60}$/;

export const meta: MetaFunction = () => [{ title: "Needs attention · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { searchParams } = new URL(request.url);
  const reason = REASON.exec(searchParams.get("reason") ?? "")?.[0] ?? null;
  const page = { ...readPage(searchParams), size: PAGE_SIZE, reason };
  const overview = await readAttention(context.app.ports, { shop, ...page });
  return { ...presentAttention(context.app, overview), reason };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const form = attentionForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) throw data(null, { status: 400 });
  return applyAttention(context.app.ports, { shop, actor }, form.data);
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function AttentionPage() {
  const view = useLoaderData<typeof loader>();
  useRereadingOnReturn();
  const { today, items, previous, next, run, reasons, reason } = view;
  const bulk = useBulk(run);
  const [handled, setHandled] = useState<HandledItem | null>(null);
  return (
    <Page title="Needs attention" subtitle="Orders that need action">
      <BulkQuestion bulk={bulk} />
      {bulk.runId && (
        <BulkProgress key={bulk.runId} runId={bulk.runId} onUndo={bulk.undo} onClose={bulk.close} />
      )}
      {view.brokenMappings > 0 && (
        <Box paddingBlockEnd="400">
          <BrokenBanner count={view.brokenMappings} />
        </Box>
      )}
      <HandledNotice item={handled} onClose={() => setHandled(null)} />
      {today.length > 0 && (
        <Box paddingBlockEnd="400">
          <Card padding="0">
            <Box padding="400" paddingBlockEnd="0">
              <Text as="h2" variant="headingMd">
                For today
              </Text>
              <Text as="p" tone="subdued">
                Somebody’s health may depend on {today.length === 1 ? "it" : "these"}.
              </Text>
            </Box>
            <ul className="pathway-list" aria-label={countOf(today.length, "item for today")}>
              {today.map((item) => (
                <TodayEntry key={item.key} item={item} onHandled={setHandled} />
              ))}
            </ul>
          </Card>
        </Box>
      )}
      <Card padding="0">
        <ReasonTabs reasons={reasons} current={reason} />
        {items.length === 0 && reason && today.length === 0 && !previous ? (
          <Empty
            heading="Nothing needs you for this reason any more"
            action={{ content: "See all that needs attention", url: "/app/attention" }}
          >
            It was dealt with, by somebody or by itself.
          </Empty>
        ) : items.length === 0 && today.length > 0 && !previous && !next ? (
          <Box padding="400">
            <Text as="p">Nothing else needs your attention.</Text>
          </Box>
        ) : items.length === 0 ? (
          <Empty
            heading="Nothing needs your attention"
            action={{ content: "Show all orders", url: "/app/referrals" }}
          >
            When a paid test can’t go on by itself, it appears here with what to do.
          </Empty>
        ) : (
          <AttentionList
            key={reason}
            items={items}
            reason={reason}
            previous={previous}
            next={next}
            mayRetryAll={view.mayRetryAll}
            bulk={bulk}
            onHandled={setHandled}
          />
        )}
      </Card>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
