import { useFetcher } from "@remix-run/react";
import { Badge, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFollowUp } from "../../components/form/use-follow-up.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import type { MailView, ReminderView } from "./present-mails.ts";

const SHOWN = 5;

/** Which emails went to whom, and what became of them. Newest first; each that can be sent again has a button. `hasEnded`: old ones are told no longer. */
export function Emails({
  mails,
  reminders,
  hasEnded,
}: {
  mails: MailView[];
  reminders: ReminderView;
  hasEnded: boolean;
}) {
  const older = mails.slice(SHOWN);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Emails
        </Text>
        {reminders.length > 0 && <Reminders reminders={reminders} />}
        {mails.length === 0 && (
          <Text as="p" tone="subdued">
            {hasEnded
              ? "Which emails were sent isn’t kept so long after the order’s data was erased."
              : "No email was sent yet. Pathway writes by itself when it needs details and when there is news."}
          </Text>
        )}
        <MailList mails={mails.slice(0, SHOWN)} />
        {older.length > 0 && (
          <details className="pathway-details">
            <summary>Show {countOf(older.length, "older email")}</summary>
            <MailList mails={older} />
          </details>
        )}
      </BlockStack>
    </Card>
  );
}

function MailList({ mails }: { mails: MailView[] }) {
  return (
    <ul className="pathway-mails">
      {mails.map((mail) => (
        <li key={mail.id}>
          <Mail mail={mail} />
        </li>
      ))}
    </ul>
  );
}

function Mail({ mail }: { mail: MailView }) {
  const fetcher = useFetcher<FormAnswer>();
  useFollowUp(useAnswer(fetcher, "order"));
  const { id, name, to, about, at, outcome, again } = mail;
  const modal = `send-again-${id.replaceAll(" ", "-")}`;
  return (
    <InlineStack align="space-between" blockAlign="start" gap="200">
      <BlockStack gap="050">
        <InlineStack align="start" gap="150" blockAlign="center">
          <Text as="span" fontWeight="medium">
            {name}
          </Text>
          <Badge tone={outcome.tone}>{outcome.name}</Badge>
        </InlineStack>
        <Text as="p" tone="subdued" variant="bodySm" breakWord>
          {to} · <Moment at={at} />
          {about && ` · ${about}`}
        </Text>
        {outcome.help && (
          <Text as="p" variant="bodySm">
            {outcome.help}
          </Text>
        )}
      </BlockStack>
      {again && (
        <>
          <Button
            size="slim"
            loading={fetcher.state !== "idle"}
            accessibilityLabel={`Send again: ${name}${about ? `, ${about}` : ""}`}
            onClick={() => void appBridge()?.modal.show(modal)}
          >
            Send again
          </Button>
          <ConfirmModal
            id={modal}
            title={`Send “${name}” again?`}
            action="Send again"
            onConfirm={() => fetcher.submit(again.fields, { method: "post" })}
          >
            It goes to {again.address}. A link in it replaces the one that was sent before.
          </ConfirmModal>
        </>
      )}
    </InlineStack>
  );
}

function Reminders({ reminders }: { reminders: ReminderView }) {
  return (
    <ul className="pathway-mails">
      {reminders.map(({ id, who, about, last, next, whyNone }) => (
        <li key={id}>
          <Text as="p">
            {who} still has to give the details{about ? ` (${about})` : ""}.
          </Text>
          <Text as="p" tone="subdued" variant="bodySm">
            Last reminder: {last ? <Moment at={last} /> : "none so far"} · Next reminder:{" "}
            {next ? <Moment at={next} /> : whyNone}
          </Text>
        </li>
      ))}
    </ul>
  );
}
