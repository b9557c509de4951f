import { Button, InlineStack } from "@shopify/polaris";
import { useState } from "react";
import { saveFile } from "./download-file.ts";

/**
 * Saves the laboratory's report of a result for a member of staff. `page`: the page of the test's results, where it isn't
 * the one that is open; the report is then opened for a review.
 */
export function DownloadReport({
  documentId,
  of,
  page,
}: {
  documentId: string;
  of: string;
  page?: string;
}) {
  const [isLoading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    const form = new FormData();
    form.set("documentId", documentId);
    if (page) form.set("reason", "review");
    await saveFile(`${page ?? location.pathname}/report`, form, "result-report.pdf");
    setLoading(false);
  };
  return (
    <InlineStack>
      <Button
        loading={isLoading}
        accessibilityLabel={`Download report: ${of}`}
        onClick={() => void download()}
      >
        Download report
      </Button>
    </InlineStack>
  );
}
