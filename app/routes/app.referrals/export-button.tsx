import { Button } from "@shopify/polaris";
import { useState } from "react";
import { type OrderSelection, selectionText } from "./order-address.ts";

/** Saves every order of the selection as CSV. What saves a file is fetched when somebody wants one. */
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
      const { downloadFile } = await import("../../components/download/download-file.ts");
      await downloadFile(`/app/referrals.csv?${selectionText(selection)}`, "pathway-orders.csv");
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
