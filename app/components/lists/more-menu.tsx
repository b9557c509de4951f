import { ActionList, type ActionListItemDescriptor, Button, Popover } from "@shopify/polaris";
import { useRef, useState } from "react";

interface Props {
  /** The menu's name, for people who do not see what the button stands beside. */
  label: string;
  actions: (ActionListItemDescriptor & { onAction(): void })[];
  isBusy?: boolean;
}

/** Keeps further actions out of the way until somebody wants them. */
export function MoreMenu({ label, actions, isBusy = false }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  return (
    <Popover
      active={isOpen}
      autofocusTarget="first-node"
      preferredAlignment="right"
      onClose={() => setIsOpen(false)}
      activator={
        <div ref={place}>
          <Button
            disclosure={isOpen ? "up" : "down"}
            loading={isBusy}
            accessibilityLabel={label}
            onClick={() => setIsOpen((was) => !was)}
          >
            More
          </Button>
        </div>
      }
    >
      <ActionList
        actionRole="menuitem"
        items={actions.map((action) => ({
          ...action,
          onAction: () => {
            setIsOpen(false);
            // The chosen item goes: a dialogue that it opens gives the focus back to what is there.
            place.current?.querySelector("button")?.focus();
            action.onAction();
          },
        }))}
      />
    </Popover>
  );
}
