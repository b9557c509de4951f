import { useState } from "preact/hooks";
import { useWords } from "./app-context.ts";
import { CorrectStep } from "./correct-step.tsx";
import { DetailsStep } from "./details-step.tsx";
import { DocumentButtons } from "./document-buttons.tsx";
import { Preparation } from "./preparation.tsx";
import type { Prefill, RequestState, TestDocument, TestPart, TestRequest } from "./requests.ts";
import { RevokeInvitation } from "./revoke-invitation.tsx";
import { groupsOf, standApart, type UnitGroup } from "./unit-groups.ts";
import { unitLine, unitName } from "./unit-name.ts";

interface Props {
  request: TestRequest;
  buyer: Prefill | null;
  /** The tests of the same order. */
  siblings: TestRequest[];
  /** Called when the app may have something new to say, with the request as saved where the app gave it. */
  onChanged: (saved?: TestRequest) => void;
  /** How results are reached from this page. */
  toResult: (resultId: string) => { href?: string; onClick?: () => void };
}

/** The customer's latest success; stands until the request moves on. */
interface News {
  heading: string;
  advice: string;
  while: RequestState;
}

/** One unit: where it stands, what to do next, its documents. */
export function RequestCard({ request, buyer, siblings, onChanged, toResult }: Props) {
  const words = useWords();
  const [latest, setLatest] = useState<News | null>(null);
  const news = latest?.while === request.state ? latest : null;
  const tell = (what: string, saved: TestRequest, values?: { email: string }) => {
    setLatest({ heading: words(what, values), advice: words(`${what}_next`), while: saved.state });
    onChanged(saved);
  };
  const groups = groupsOf(request);
  const name = unitName(request, words);
  const line = unitLine(request, words);
  const apart = standApart(groups);
  // A test that the shop took back has no problem while the shop decides: its buyer may have asked for the refund.
  const nameOf = (state: RequestState) =>
    words(`state.${request.needsDecision && state === "needs_support" ? "deciding" : state}.name`);
  const urgent =
    request.isForToday || request.state === "awaiting_details" || request.state === "needs_support";

  return (
    <s-box border="base" borderRadius="base" padding="base">
      <s-stack gap="base">
        <s-stack direction="inline" gap="small" alignItems="center" justifyContent="space-between">
          <s-stack>
            <s-heading>{request.title}</s-heading>
            {line && <s-text color="subdued">{line}</s-text>}
          </s-stack>
          <s-badge tone={urgent ? "critical" : "neutral"}>{nameOf(request.state)}</s-badge>
        </s-stack>
        {news ? (
          <s-banner tone="success" heading={news.heading}>
            <s-paragraph>{news.advice}</s-paragraph>
          </s-banner>
        ) : (
          !apart && (
            <s-paragraph>{request.nextStep || words(`state.${request.state}.next`)}</s-paragraph>
          )
        )}
        <Preparation request={request} />
        {request.state === "awaiting_details" && !news && (
          <DetailsStep
            request={request}
            name={name}
            buyer={buyer}
            siblings={siblings}
            onSaved={(saved) => tell("form.saved", saved)}
            onHandedOver={(email, saved) => tell("hand_over.sent", saved, { email })}
          />
        )}
        {request.handOver?.canTakeBack && (
          <RevokeInvitation request={request} name={name} onTaken={onChanged} />
        )}
        {groups.map((group) => (
          <Group
            key={group.part}
            group={group}
            title={name}
            badge={apart && !news && nameOf(group.state)}
            toResult={toResult}
          />
        ))}
        {request.canCorrect && (
          <CorrectStep
            request={request}
            name={name}
            // A form that stays is not remade: nothing in the details was new.
            onSaved={(saved) =>
              tell(saved.state === "form_ready" ? "form.unchanged" : "form.corrected", saved)
            }
          />
        )}
        {request.state === "being_prepared" && (
          <s-stack direction="inline">
            <s-button onClick={() => onChanged()}>{words("request.check_again")}</s-button>
          </s-stack>
        )}
      </s-stack>
    </s-box>
  );
}

interface GroupProps extends Pick<Props, "toResult"> {
  group: UnitGroup<RequestState, TestPart, TestDocument>;
  title: string;
  /** The name of where it stands, where it says so for itself. */
  badge: string | false;
}

/** Result and documents of a unit, or of the part of it that one referral is. */
function Group({ group, title, badge, toResult }: GroupProps) {
  const words = useWords();
  const { part, state, documents, resultId } = group;
  const released = state === "partial_results" || state === "results_ready";
  if (!badge && !resultId && documents.length === 0) return null;
  const name = part ? words("part.of", { title, part: words(`part.${part}`) }) : title;
  const buttons = (
    <>
      {resultId && (
        <s-stack direction="inline">
          <s-button
            variant={released ? "primary" : "secondary"}
            accessibilityLabel={words("result_link.see_of", { title: name })}
            {...toResult(resultId)}
          >
            {words("result_link.see")}
          </s-button>
        </s-stack>
      )}
      <DocumentButtons
        documents={documents}
        title={name}
        isFirst={state === "form_ready"}
        isUsed={released || state === "in_review"}
      />
    </>
  );
  if (!part) return buttons;
  return (
    <s-stack gap="small">
      <s-divider />
      <s-stack direction="inline" gap="small" alignItems="center" justifyContent="space-between">
        <s-text type="strong">{words(`part.${part}`)}</s-text>
        {badge && <s-badge>{badge}</s-badge>}
      </s-stack>
      {badge && <s-text>{group.nextStep || words(`state.${state}.next`)}</s-text>}
      {buttons}
    </s-stack>
  );
}
