import { Button, TextField } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";

/** The address for the service's webhook settings, ready to copy. */
export function WebhookAddress({ id, address }: { id: string; address: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
      appBridge()?.toast.show("Webhook address copied");
    } catch {
      // Not allowed in this frame: selected, it can be copied by hand.
      const field = document.getElementById(id);
      if (field instanceof HTMLInputElement) field.select();
    }
  };
  return (
    <TextField
      id={id}
      label="Webhook address"
      value={address}
      readOnly
      selectTextOnFocus
      autoComplete="off"
      connectedRight={
        <Button
          onClick={() => void copy()}
          accessibilityLabel={isCopied ? "Copied: the webhook address" : "Copy the webhook address"}
        >
          {isCopied ? "Copied" : "Copy"}
        </Button>
      }
      helpText="Anybody who has this address and the signing secret can tell Pathway to look for news. Keep it to yourself."
    />
  );
}
