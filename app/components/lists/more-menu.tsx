import { ActionList, type ActionListItemDescriptor, Button, Popover } from "@shopify/polaris";
import { useState } from "react";

interface Props {
  /** What the button opens, for who does not see what it stands beside. */
  label: string;
  actions: (ActionListItemDescriptor & { onAction(): void })[];
  isBusy?: boolean;
}

/** What else can be done, out of the way until it is wanted. */
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
