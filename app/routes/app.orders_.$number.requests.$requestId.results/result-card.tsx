import { Badge, Banner, BlockStack, Card, InlineStack, Text } from "@shopify/polaris";
import { DownloadReport } from "../../components/download/download-report.tsx";
import { Moment } from "../../components/moment/moment.tsx";
import type { StaffViewResult } from "./present-staff-view.ts";

/** One result: its biomarkers by category, with ranges in words. */
export function ResultCard({ result }: { result: StaffViewResult }) {
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h2" variant="headingMd">
            {result.title}
          </Text>
          {result.partial && <Badge tone="attention">Partial</Badge>}
          {result.correctedAt && <Badge tone="attention">Corrected</Badge>}
          {!result.isReleased && <Badge tone="warning">Not shown to the patient</Badge>}
        </InlineStack>
        {result.correctedAt && (
          <Text as="p">
            Values that the patient could see were corrected: <Moment at={result.correctedAt} />.
          </Text>
        )}
        {result.release && (
          <div role="status">
            <Text as="p" tone="subdued">
              Released by {result.release.name}
              {result.release.comment && `: ${result.release.comment}`}
            </Text>
          </div>
        )}
        {result.alert && (
          <Banner tone="critical" title={result.alert.heading}>
            <p>{result.alert.text}</p>
          </Banner>
        )}
        <Text as="p" tone="subdued">
          {result.resultDate && <Moment at={result.resultDate} />}
          {result.counts && ` · ${result.counts}`}
        </Text>
        {result.reportId && <DownloadReport documentId={result.reportId} of={result.title} />}
        {result.categories.map((category) => (
          <BlockStack key={category.id} gap="200">
            <Text as="h3" variant="headingSm">
              {category.name}
            </Text>
            <dl className="pathway-values">
              {category.biomarkers.map((biomarker) => (
                <div key={biomarker.id}>
                  <dt>{biomarker.name}</dt>
                  <dd>
                    {biomarker.value}
                    {biomarker.isAbnormal && (
                      <>
                        {" "}
                        <Badge tone="warning">Out of range</Badge>
                      </>
                    )}
                    {biomarker.isContradictory && (
                      <>
                        {" "}
                        <Badge tone="attention">Beyond its range, not flagged</Badge>
                      </>
                    )}
                  </dd>
                  <dd>{biomarker.ranges.join(" · ")}</dd>
                  {biomarker.earlier && (
                    <dd className="pathway-values-notes">Earlier: {biomarker.earlier}</dd>
                  )}
                  {biomarker.notes && <dd className="pathway-values-notes">{biomarker.notes}</dd>}
                </div>
              ))}
            </dl>
          </BlockStack>
        ))}
      </BlockStack>
    </Card>
  );
}
