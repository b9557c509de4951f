import { Button } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";

/** Fetches what is held about a customer, with the session token that App Bridge adds, and saves it as a file. */
export function DownloadDataExport({ id }: { id: string }) {
  const [isLoading, setLoading] = useState(false);
  const modalId = `export-${id}`;
  const download = async () => {
    setLoading(true);
    try {
      const response = await fetch(`/app/privacy/${id}`, { method: "POST" });
      if (!response.ok) throw new Error("not there");
      const address = URL.createObjectURL(await response.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = `customer-data-${id}.json`;
      link.click();
      URL.revokeObjectURL(address);
    } catch {
      // The server logs its own failures; a broken line is the reader's to know.
      appBridge()?.toast.show("The data couldn’t be downloaded", { isError: true });
    } finally {
      setLoading(false);
    }
  };
  return (
    <div>
      <Button loading={isLoading} onClick={() => void appBridge()?.modal.show(modalId)}>
        Download
      </Button>
      <ConfirmModal
        id={modalId}
        title="Download this customer’s data?"
        action="Download"
        onConfirm={() => void download()}
      >
        The file holds health data in clear, for this customer alone. Who downloads it is recorded.
        Hand it over safely, and delete your copy.
      </ConfirmModal>
    </div>
  );
}
