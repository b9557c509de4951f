import { useFetcher } from "@remix-run/react";
import { Button, InlineStack } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFollowUp } from "../../components/form/use-follow-up.ts";
import { CancelRequest } from "./cancel-request.tsx";
import type { RequestView } from "./present-order.ts";
import { ReleaseResults } from "./release-results.tsx";

/** What staff can do about a request: what helps it on, and giving it up. */
export function RequestActions({ request }: { request: RequestView }) {
  const fetcher = useFetcher<FormAnswer>();
  useFollowUp(useAnswer(fetcher, "order"));
  const { mayReleaseResults, cancellation, id, unitName } = request;
  const sending = fetcher.formData?.get("intent") ?? null;
  const send = (intent: string) => fetcher.submit({ intent, requestId: id }, { method: "post" });
  const next = nextAction(request);
  return (
    <InlineStack align="start" gap="200" blockAlign="center">
      {cancellation && (
        <CancelRequest
          requestId={id}
          unitName={unitName}
          consequence={cancellation}
          isSending={sending === "cancel-request"}
          onCancel={() => send("cancel-request")}
        />
      )}
      {mayReleaseResults && (
        <ReleaseResults
          requestId={id}
          unitName={unitName}
          isSending={sending === "release-results"}
          onRelease={() => send("release-results")}
        />
      )}
      {next && (
        <Button
          variant="primary"
          loading={sending === next.intent}
          accessibilityLabel={`${next.label} ${unitName}`}
          onClick={() => send(next.intent)}
        >
          {next.label}
        </Button>
      )}
    </InlineStack>
  );
}

/** The one thing that helps a request on, if a person can. */
function nextAction({ mayRelease, mayRetry, mayReorder }: RequestView) {
  if (mayRelease) return { intent: "release", label: "Release" };
  if (mayRetry) return { intent: "retry", label: "Retry" };
  return mayReorder ? { intent: "reorder-request", label: "Order again" } : null;
}
