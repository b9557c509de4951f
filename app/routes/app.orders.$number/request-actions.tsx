import { useFetcher } from "@remix-run/react";
import { Button, InlineStack } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { useMay } from "../../components/document/use-may.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import { CopyField } from "../../components/form/copy-field.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFollowUp } from "../../components/form/use-follow-up.ts";
import { MoreMenu } from "../../components/lists/more-menu.tsx";
import type { OfferedAction } from "./offered-actions.ts";
import type { RequestView } from "./present-order.ts";
import { PrimaryAction } from "./primary-action.tsx";

/** Offers what staff can do about a unit: the most helpful action as a button, all others in a menu. */
export function RequestActions({ request }: { request: RequestView }) {
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, "order");
  useFollowUp(answer);
  const may = useMay();
  const { id, version, reorderVersion, unitName, questions, practitionerUrl } = request;
  const reviewUrl = may("see_results") ? request.reviewUrl : null;
  // A held result comes first. A refused practitioner is changed before anything is sent again.
  const place = reviewUrl
    ? { url: reviewUrl, label: "Review results" }
    : practitionerUrl && { url: practitionerUrl, label: "Change practitioner" };
  const primary = place ? null : request.actions.primary;
  const others = [
    ...(place && request.actions.primary ? [request.actions.primary] : []),
    ...request.actions.others,
  ];
  const sending = fetcher.formData?.get("intent") ?? null;
  const send = (intent: string) =>
    fetcher.submit(
      { intent, requestId: id, seen: intent === "reorder-request" ? reorderVersion : version },
      { method: "post" },
    );
  const modalOf = (intent: string) => `${intent}-${id}`;
  const menu: (OfferedAction & { isDestructive?: boolean })[] = [
    ...others,
    ...(questions["cancel-request"] && primary?.intent !== "cancel-request"
      ? [{ intent: "cancel-request" as const, label: "Cancel test", isDestructive: true }]
      : []),
  ];
  const asked = [primary, ...menu].flatMap((one) => {
    const question = one && questions[one.intent];
    return question ? [{ intent: one.intent, question }] : [];
  });
  /** What costs money or cannot be undone is asked first. */
  const choose = (intent: string) => {
    if (asked.some((one) => one.intent === intent)) void appBridge()?.modal.show(modalOf(intent));
    else send(intent);
  };
  return (
    <div>
      <InlineStack align="start" gap="200" blockAlign="center">
        {place && (
          <Button
            variant="primary"
            url={place.url}
            accessibilityLabel={`${place.label}: ${unitName}`}
          >
            {place.label}
          </Button>
        )}
        {primary && (
          <PrimaryAction
            action={primary}
            unitName={unitName}
            isSending={sending === primary.intent}
            onChoose={choose}
          />
        )}
        {menu.length > 0 && (
          <MoreMenu
            label={`More actions: ${unitName}`}
            isBusy={menu.some(({ intent }) => intent === sending)}
            actions={menu.map(({ intent, label, help, isDestructive }) => ({
              content: label,
              helpText: help,
              destructive: isDestructive,
              onAction: () => choose(intent),
            }))}
          />
        )}
      </InlineStack>
      {answer?.link && (
        <CopyField
          id={`link-${id}`}
          label="The customer’s link"
          value={answer.link}
          what={`the customer’s link: ${unitName}`}
          helpText="Give it to the customer only, and don’t open it: it may work once. It shows the order’s status. For anything more, its page emails a new link to the customer’s own address, or the customer signs in."
        />
      )}
      {asked.map(({ intent, question }) => (
        <ConfirmModal
          key={intent}
          id={modalOf(intent)}
          {...question}
          onConfirm={() => send(intent)}
        >
          {question.text}
        </ConfirmModal>
      ))}
    </div>
  );
}
