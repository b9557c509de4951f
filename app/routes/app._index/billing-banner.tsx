import { useFetcher } from "@remix-run/react";
import { Banner } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFollowUp } from "../../components/form/use-follow-up.ts";
import { countOf } from "../../modules/kernel/words.ts";
import type { HomeView } from "./present-home.ts";

const MODAL = "reorder-billing-failed";

/** One banner for everything that could not be charged, and one way to order it all again. */
export function BillingBanner({ billing }: Pick<HomeView, "billing">) {
  const fetcher = useFetcher<FormAnswer>();
  useFollowUp(useAnswer(fetcher, MODAL));
  if (!billing) return null;
  const { failed, running, question } = billing;
  if (running)
    return (
      <Banner tone="info" title={`Ordering again: ${running.done} of ${running.total}`}>
        <p>You can leave this page. What can’t be ordered again stays under “Needs attention”.</p>
      </Banner>
    );
  return (
    <>
      <Banner
        tone="critical"
        title={`The service couldn’t charge for ${countOf(failed, "test")}`}
        action={{
          content: failed === 1 ? "Order it again" : "Order all again",
          loading: fetcher.state !== "idle",
          onAction: () => void appBridge()?.modal.show(MODAL),
        }}
      >
        <p>
          Fix the billing method in the service first. Then order{" "}
          {failed === 1 ? "this test" : "these tests"} again.
        </p>
      </Banner>
      <ConfirmModal
        id={MODAL}
        {...question}
        onConfirm={() => fetcher.submit({ intent: MODAL, seen: failed }, { method: "post" })}
      >
        {question.text}
      </ConfirmModal>
    </>
  );
}
