import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { RequestView } from "./present-order.ts";
import { useFollowUp } from "./use-follow-up.ts";

/** The one thing that staff can do about a request, when there is one. */
export function RequestActions({ request }: { request: RequestView }) {
  const fetcher = useFetcher<FormAnswer>();
  useFollowUp(useAnswer(fetcher, "order"));
  const { mayRetry, mayRelease, id, unitName } = request;
  if (!mayRetry && !mayRelease) return null;
  const [intent, label] = mayRelease ? ["release", "Release"] : ["retry", "Retry"];
  return (
    <Button
      loading={fetcher.state !== "idle"}
      accessibilityLabel={`${label} ${unitName}`}
      onClick={() => fetcher.submit({ intent, requestId: id }, { method: "post" })}
    >
      {label}
    </Button>
  );
}
