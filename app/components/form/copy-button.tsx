import { Button } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../document/app-bridge.ts";

interface Props {
  text: string;
  /** The copied thing, as a sentence names it: "the webhook address". */
  what: string;
  /** Called where the frame may not copy: selected, the text can be copied by hand. */
  onRefused?(): void;
}

/** Copies a text that is needed elsewhere. */
export function CopyButton({ text, what, onRefused }: Props) {
  const [copied, setCopied] = useState("");
  const isCopied = copied === text;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
      appBridge()?.toast.show("Copied");
    } catch {
      // Not allowed in this frame: the caller may select the text, and it can be copied by hand.
      onRefused?.();
    }
  };
  return (
    <Button
      onClick={() => void copy()}
      accessibilityLabel={isCopied ? `Copied: ${what}` : `Copy ${what}`}
    >
      {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}
