import { ActionList, type ActionListItemDescriptor, Button, Popover } from "@shopify/polaris";
import { useState } from "react";

interface Props {
  /** The menu's name, for people who do not see what the button stands beside. */
  label: string;
  actions: (ActionListItemDescriptor & { onAction(): void })[];
  isBusy?: boolean;
}

/** Keeps further actions out of the way until somebody wants them. */
export function MoreMenu({ label, actions, isBusy = false }: Props) {
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
          loading={isBusy}
          accessibilityLabel={label}
          onClick={() => setIsOpen((was) => !was)}
        >
          More
        </Button>
      }
    >
      <ActionList
        actionRole="menuitem"
        items={actions.map((action) => ({
          ...action,
          onAction: () => {
            setIsOpen(false);
            action.onAction();
          },
        }))}
      />
    </Popover>
  );
}
