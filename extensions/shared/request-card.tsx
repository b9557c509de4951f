import { useState } from "preact/hooks";
import { useWords } from "./app-context.ts";
import { CorrectStep } from "./correct-step.tsx";
import { DetailsStep } from "./details-step.tsx";
import { DocumentButtons } from "./document-buttons.tsx";
import type { Prefill, RequestState, TestRequest } from "./requests.ts";
import { TakeBack } from "./take-back.tsx";

interface Props {
  request: TestRequest;
  buyer: Prefill | null;
  /** Called when the app may have something new to say, with the request as saved where the app gave it. */
  onChanged: (saved?: TestRequest) => void;
  /** How results are reached from this page. */
  toResult: (resultId: string) => { href?: string; onClick?: () => void };
}

/** What the shopper has just achieved; stands until the request moves on. */
interface News {
  heading: string;
  advice: string;
  while: RequestState;
}

/** One unit: where it stands, what to do next, its documents. */
export function RequestCard({ request, buyer, onChanged, toResult }: Props) {
  const words = useWords();
  const [latest, setLatest] = useState<News | null>(null);
  const news = latest?.while === request.state ? latest : null;
  // A result in review exists, but there is nothing to see yet.
  const released = request.state === "partial_results" || request.state === "results_ready";
  const urgent = request.state === "awaiting_details" || request.state === "needs_support";

  return (
    <s-box border="base" borderRadius="base" padding="base">
      <s-stack gap="base">
        <s-stack direction="inline" gap="small" alignItems="center" justifyContent="space-between">
          <s-heading>{request.title}</s-heading>
          <s-badge tone={urgent ? "critical" : "neutral"}>
            {words(`state.${request.state}.name`)}
          </s-badge>
        </s-stack>
        {news ? (
          <s-banner tone="success" heading={news.heading}>
            <s-paragraph>{news.advice}</s-paragraph>
          </s-banner>
        ) : (
          <s-paragraph>{request.nextStep || words(`state.${request.state}.next`)}</s-paragraph>
        )}
        {request.state === "awaiting_details" && !news && (
          <DetailsStep
            request={request}
            buyer={buyer}
            onSaved={(saved) => {
              setLatest({
                heading: words("form.saved"),
                advice: words("form.saved_next"),
                while: saved.state,
              });
              onChanged(saved);
            }}
            onHandedOver={(email, saved) => {
              setLatest({
                heading: words("hand_over.sent", { email }),
                advice: words("hand_over.sent_next"),
                while: saved.state,
              });
              onChanged(saved);
            }}
          />
        )}
        {request.canCorrect && !news && (
          <CorrectStep
            request={request}
            onSaved={(saved) => {
              setLatest({
                heading: words("form.corrected"),
                advice: words("form.corrected_next"),
                while: saved.state,
              });
              onChanged(saved);
            }}
          />
        )}
        {request.handOver?.canTakeBack && (
          <TakeBack request={request} onTaken={(taken) => onChanged(taken)} />
        )}
        {request.state !== "in_review" && request.resultId && (
          <s-stack direction="inline">
            <s-button
              variant={released ? "primary" : "secondary"}
              accessibilityLabel={words("result_link.see_of", { title: request.title })}
              {...toResult(request.resultId)}
            >
              {words("result_link.see")}
            </s-button>
          </s-stack>
        )}
        <DocumentButtons documents={request.documents} title={request.title} />
        {request.state === "being_prepared" && (
          <s-stack direction="inline">
            <s-button onClick={() => onChanged()}>{words("request.check_again")}</s-button>
          </s-stack>
        )}
      </s-stack>
    </s-box>
  );
}
