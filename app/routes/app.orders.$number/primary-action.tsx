import { Button } from "@shopify/polaris";
import type { OfferedAction } from "./offered-actions.ts";

interface Props {
  action: OfferedAction;
  unitName: string;
  isSending: boolean;
  onChoose(intent: string): void;
}

/** The one thing that helps a unit on. Asking again only repeats what Pathway does anyway, so it is no call to act. */
export function PrimaryAction({ action, unitName, isSending, onChoose }: Props) {
  return (
    <Button
      variant={
        action.intent === "resend" || action.intent === "retry-mails" ? undefined : "primary"
      }
      loading={isSending}
      accessibilityLabel={`${action.label}: ${unitName}`}
      onClick={() => onChoose(action.intent)}
    >
      {action.label}
    </Button>
  );
}
