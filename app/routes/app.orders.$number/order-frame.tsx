import { useFetcher } from "@remix-run/react";
import { Badge, InlineStack, Page } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFollowUp } from "../../components/form/use-follow-up.ts";
import { useRereadingOnReturn } from "../../components/loading/use-rereading.ts";
import type { OrderView } from "./present-order.ts";

/** The page's head: which order, the way back, and what can be done with all of it. */
export function OrderFrame({ view, children }: { view: OrderView; children: ReactNode }) {
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, "order");
  useFollowUp(answer);
  useRereadingOnReturn();
  return (
    <Page
      backAction={{ content: "Orders and referrals", url: "/app/referrals" }}
      title={view.name}
      titleMetadata={
        <InlineStack gap="100">
          {view.isCancelled && <Badge>Cancelled</Badge>}
          {view.isTest && <Badge>Test order</Badge>}
        </InlineStack>
      }
      secondaryActions={[
        {
          content: "Re-sync now",
          loading: fetcher.state !== "idle",
          helpText: "Reads the order and its referrals again",
          onAction: () => fetcher.submit({ intent: "resync" }, { method: "post" }),
        },
        { content: "View in Shopify", url: `shopify://admin/orders/${view.number}` },
      ]}
    >
      {children}
    </Page>
  );
}
