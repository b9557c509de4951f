import { Button, InlineStack, Select } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import { tellFailure } from "../../components/feedback/failure-banner.tsx";
import { DATA_EXPORT_REASONS } from "../../modules/privacy/staff-access.ts";
import { DATA_EXPORT_REASON_NAMES } from "../../modules/privacy/staff-access-words.ts";

const CHOICES = [
  { label: "Choose a reason", value: "" },
  ...DATA_EXPORT_REASONS.map((value) => ({ label: DATA_EXPORT_REASON_NAMES[value], value })),
];

/** Fetches what is held about a customer, with the session token that App Bridge adds, and saves it as a file. */
export function DownloadDataExport({ id }: { id: string }) {
  const [isLoading, setLoading] = useState(false);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string>();
  const modalId = `export-${id}`;
  const download = async () => {
    setLoading(true);
    try {
      const response = await fetch(`/app/privacy/${id}`, {
        method: "POST",
        body: new URLSearchParams({ reason }),
      });
      if (response.status === 403) {
        setError("Only managers can download customers’ data.");
        return;
      }
      if (!response.ok) throw new Error("not there");
      const address = URL.createObjectURL(await response.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = `customer-data-${id}.json`;
      link.click();
      URL.revokeObjectURL(address);
    } catch {
      // The server logs its own failures; a broken line is the reader's to know.
      tellFailure("The data couldn’t be downloaded. Try again.");
    } finally {
      setLoading(false);
    }
  };
  const askToConfirm = () => {
    if (reason) void appBridge()?.modal.show(modalId);
    else setError("Choose why the data has to be downloaded.");
  };
  return (
    <div>
      <InlineStack gap="200" blockAlign="start">
        <Select
          label="Why do you need it?"
          labelHidden
          options={CHOICES}
          value={reason}
          error={error}
          onChange={(value) => {
            setReason(value);
            setError(undefined);
          }}
        />
        <Button loading={isLoading} onClick={askToConfirm}>
          Download
        </Button>
      </InlineStack>
      <ConfirmModal
        id={modalId}
        title="Download this customer’s data?"
        action="Download"
        onConfirm={() => void download()}
      >
        The file holds health data in clear, for this customer alone. What isn’t released yet is
        left out. Your Shopify user, the time and the reason are recorded. Hand it over safely, and
        delete your copy.
      </ConfirmModal>
    </div>
  );
}
