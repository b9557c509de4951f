import { ActionList, Button, Popover } from "@shopify/polaris";
import { useState } from "react";

interface Props {
  actions: { intent: string; label: string; help?: string; isDestructive?: boolean }[];
  unitName: string;
  isSending: boolean;
  onChoose(intent: string): void;
}

/** What else can be done with a unit, out of the way until it is wanted. */
export function MoreActions({ actions, unitName, isSending, onChoose }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      active={isOpen}
      autofocusTarget="first-node"
      preferredAlignment="right"
      onClose={() => setIsOpen(false)}
      activator={
        <Button
          disclosure={isOpen ? "up" : "down"}
          loading={isSending}
          accessibilityLabel={`More actions: ${unitName}`}
          onClick={() => setIsOpen((was) => !was)}
        >
          More
        </Button>
      }
    >
      <ActionList
        actionRole="menuitem"
        items={actions.map(({ intent, label, help, isDestructive }) => ({
          content: label,
          helpText: help,
          destructive: isDestructive,
          onAction: () => {
            setIsOpen(false);
            onChoose(intent);
          },
        }))}
      />
    </Popover>
  );
}
