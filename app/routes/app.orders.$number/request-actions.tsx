import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { RequestView } from "./present-order.ts";
import { ReleaseResults } from "./release-results.tsx";
import { useFollowUp } from "./use-follow-up.ts";

/** The one thing that staff can do about a request, when there is one. */
export function RequestActions({ request }: { request: RequestView }) {
  const fetcher = useFetcher<FormAnswer>();
  useFollowUp(useAnswer(fetcher, "order"));
  const { mayRetry, mayRelease, mayReleaseResults, id, unitName } = request;
  const isSending = fetcher.state !== "idle";
  const send = (intent: string) => fetcher.submit({ intent, requestId: id }, { method: "post" });
  if (mayReleaseResults)
    return (
      <ReleaseResults
        requestId={id}
        unitName={unitName}
        isSending={isSending}
        onRelease={() => send("release-results")}
      />
    );
  if (!mayRetry && !mayRelease) return null;
  const [intent, label] = mayRelease ? ["release", "Release"] : ["retry", "Retry"];
  return (
    <Button
      variant="primary"
      loading={isSending}
      accessibilityLabel={`${label} ${unitName}`}
      onClick={() => send(intent)}
    >
      {label}
    </Button>
  );
}
