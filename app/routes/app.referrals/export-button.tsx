import { Button } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { type OrderSelection, selectionText } from "./order-address.ts";

/** Saves every order of the selection as CSV. Fetched, because a link would carry no session token. */
export function ExportButton({
  selection,
  isEmpty,
}: {
  selection: OrderSelection;
  isEmpty: boolean;
}) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      const answer = await fetch(`/app/referrals.csv?${selectionText(selection)}`);
      if (!answer.ok) throw new Error("refused");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await answer.blob());
      link.download = "pathway-orders.csv";
      link.click();
      URL.revokeObjectURL(link.href);
    } catch {
      // The server logs its own failures; a broken line is the reader's to know.
      appBridge()?.toast.show("The export broke off. Try again.", { isError: true });
    } finally {
      setSaving(false);
    }
  };
  return (
    <Button onClick={() => void save()} loading={isSaving} disabled={isEmpty}>
      Export CSV
    </Button>
  );
}
