import { useFetcher } from "@remix-run/react";
import { Button, InlineStack } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { CopyField } from "../../components/form/copy-field.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFollowUp } from "../../components/form/use-follow-up.ts";
import { MoreMenu } from "../../components/lists/more-menu.tsx";
import { CancelRequest } from "./cancel-request.tsx";
import type { OfferedAction } from "./offered-actions.ts";
import type { RequestView } from "./present-order.ts";
import { PrimaryAction } from "./primary-action.tsx";

/** Offers what staff can do about a unit: the most helpful action as a button, all others in a menu. */
export function RequestActions({ request }: { request: RequestView }) {
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, "order");
  useFollowUp(answer);
  const { id, unitName, cancellation, practitionerUrl, reviewUrl } = request;
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
  const send = (intent: string) => fetcher.submit({ intent, requestId: id }, { method: "post" });
  const modals: Record<string, string> = {
    "cancel-request": `cancel-request-${id}`,
  };
  /** Actions that cannot be undone ask first. */
  const choose = (intent: string) => {
    const modal = modals[intent];
    if (modal) void appBridge()?.modal.show(modal);
    else send(intent);
  };
  const menu: (OfferedAction & { isDestructive?: boolean })[] = [
    ...others,
    ...(cancellation && primary?.intent !== "cancel-request"
      ? [{ intent: "cancel-request" as const, label: "Cancel test", isDestructive: true }]
      : []),
  ];
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
      {cancellation && (
        <CancelRequest
          id={modals["cancel-request"] ?? ""}
          consequence={cancellation}
          onCancel={() => send("cancel-request")}
        />
      )}
    </div>
  );
}
