import { Form, useFetcher } from "@remix-run/react";
import { Badge, BlockStack, Button, InlineStack, Link, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import { DownloadReport } from "../../components/download/download-report.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { CONTACT_NAMES } from "../../modules/referrals/contact-words.ts";
import { MINUTES_AGO } from "./minutes-ago.ts";
import type { ReviewView } from "./present-reviews.ts";

/** One test whose results wait: whose, since when, what was done and what comes next. */
export function ReviewEntry({ review }: { review: ReviewView }) {
  return (
    <li className="pathway-entry pathway-entry-single">
      <div className="pathway-entry-words">
        <BlockStack gap="200">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {review.patient}
            </Text>
            {review.isUrgent && <Badge tone="critical">Can’t wait</Badge>}
            {review.isSensitive && <Badge tone="attention">Sensitive: tell in person first</Badge>}
          </InlineStack>
          <Link url={`/app/orders/${review.order}`} monochrome>
            {review.what}
          </Link>
          <Text as="p">
            {review.heldAt && (
              <>
                Held since <Moment at={review.heldAt} />.{" "}
              </>
            )}
            {review.alerts} {review.last}
            {review.next && (
              <>
                {review.next.text}: <Moment at={review.next.at} />.
              </>
            )}
          </Text>
          {review.contacts.map(({ text, at, by }) => (
            <Text as="p" tone="subdued" key={at}>
              {text}: <Moment at={at} />, recorded by {by}.
            </Text>
          ))}
          <RecordContact review={review} />
        </BlockStack>
      </div>
      <div className="pathway-entry-actions">
        <Form method="post">
          <input type="hidden" name="intent" value="open" />
          <input type="hidden" name="order" value={review.order} />
          <input type="hidden" name="requestId" value={review.requestId} />
          <Button
            submit
            variant="primary"
            accessibilityLabel={`Read and release: ${review.title}, order ${review.orderName}`}
          >
            Read and release
          </Button>
        </Form>
        {review.reports.map((documentId) => (
          <DownloadReport
            key={documentId}
            documentId={documentId}
            of={`${review.title}, order ${review.orderName}`}
            page={review.page}
          />
        ))}
      </div>
    </li>
  );
}

const WHO = Object.entries(CONTACT_NAMES).map(([value, label]) => ({ value, label }));
const WHEN = MINUTES_AGO.map((minutes) => ({
  value: String(minutes),
  label:
    minutes === 0
      ? "Just now"
      : minutes < 60
        ? `${minutes} minutes ago`
        : minutes === 60
          ? "An hour ago"
          : `${minutes / 60} hours ago`,
}));

/** Folded away: who was reached, and when. */
function RecordContact({ review }: { review: ReviewView }) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, "contact");
  const [reached, setReached] = useState("patient");
  const [minutesAgo, setMinutesAgo] = useState("0");
  const { requestId } = review;
  return (
    <details className="pathway-details">
      <summary>Record a contact</summary>
      <BlockStack gap="200">
        <Select label="Who was reached" options={WHO} value={reached} onChange={setReached} />
        <Select label="When" options={WHEN} value={minutesAgo} onChange={setMinutesAgo} />
        <InlineStack>
          <Button
            loading={fetcher.state !== "idle"}
            onClick={() =>
              fetcher.submit(
                { intent: "contact", requestId, reached, minutesAgo },
                { method: "post" },
              )
            }
          >
            Record contact
          </Button>
        </InlineStack>
        <Text as="p" tone="subdued">
          Your Shopify user and the time go into the order’s timeline. It can’t be changed
          afterwards.
        </Text>
      </BlockStack>
    </details>
  );
}
