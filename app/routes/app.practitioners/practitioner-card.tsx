import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Button, Card, InlineStack, Link, List, Text } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ChangedMeanwhile } from "../../components/feedback/changed-meanwhile.tsx";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { KeptChanges } from "../../components/form/kept-changes.tsx";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { useMeanwhile } from "../../components/form/use-meanwhile.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import { PractitionerFields } from "./practitioner-fields.tsx";
import type { PractitionerView } from "./present-practitioners.ts";

const SHOWN = 5;

/** The values that somebody typed, as the form's labels say it. */
const describeTyped = ({ label, name, address }: Partial<Record<string, string>>) => [
  ...(label === undefined ? [] : [`Display name: ${label || "None"}`]),
  ...(name === undefined ? [] : [`Name: ${name}`]),
  ...(address === undefined ? [] : [`Practice address: ${address}`]),
];

/** One practitioner: who it is, what the service said of the number, and which products need them. */
export function PractitionerCard({ practitioner }: { practitioner: PractitionerView }) {
  const { label, name, address, providerNumber, fault, faultAt, uses } = practitioner;
  const [isOpen, setOpen] = useState(false);
  const fetcher = useFetcher<FormAnswer>();
  const fields = useFields({ label, name, address, providerNumber });
  const { values, set } = fields;
  const answer = useAnswer(fetcher, `change ${providerNumber}`, () => setOpen(false));
  const errors = answer?.errors ?? {};
  const isIdle = fetcher.state === "idle";
  const { meanwhile, isTold, kept } = useMeanwhile(fields, { answer, isIdle });
  const modalId = `remove-${providerNumber}`;
  const send = (intent: string) =>
    fetcher.submit({ intent, key: providerNumber, providerNumber }, { method: "post" });
  return (
    <Card>
      <BlockStack gap="300">
        <BlockStack gap="050">
          <Text as="h2" variant="headingMd">
            {label || name}
          </Text>
          <Text as="p">
            {label
              ? `${name}, provider number ${providerNumber}`
              : `Provider number ${providerNumber}`}
          </Text>
          <Text as="p" tone="subdued">
            {address}
          </Text>
        </BlockStack>
        {fault && (
          <Banner
            tone="critical"
            title={fault.sentence}
            action={{
              content: "Recheck",
              loading: fetcher.state !== "idle",
              onAction: () => send("fixed"),
            }}
          >
            <p>
              {fault.nextStep}
              {faultAt && (
                <>
                  {" "}
                  Rejected on <Moment at={faultAt} />.
                </>
              )}
            </p>
          </Banner>
        )}
        {errors.remove && (
          <Banner tone="critical" title="This practitioner is still needed">
            <p>{errors.remove}</p>
          </Banner>
        )}
        {uses.length > 0 && (
          <BlockStack gap="100">
            <Text as="p">{`${countOf(uses.length, "product")} ${uses.length === 1 ? "is" : "are"} ordered under this number:`}</Text>
            <List>
              {uses.slice(0, SHOWN).map((use) => (
                <List.Item key={`${use.number} ${use.title}`}>
                  {use.number ? (
                    <Link url={`/app/mappings/${use.number}`}>{use.title}</Link>
                  ) : (
                    use.title
                  )}
                </List.Item>
              ))}
              {uses.length > SHOWN && <List.Item>and {uses.length - SHOWN} more</List.Item>}
            </List>
          </BlockStack>
        )}
        {isOpen ? (
          <fetcher.Form method="post" noValidate>
            <input type="hidden" name="intent" value="change" />
            <input type="hidden" name="key" value={providerNumber} />
            <input type="hidden" name="providerNumber" value={providerNumber} />
            <input type="hidden" name="seen" value={JSON.stringify({ label, name, address })} />
            <BlockStack gap="300">
              {meanwhile && !isTold && <ChangedMeanwhile sentence={meanwhile} />}
              <KeptChanges
                fields={kept}
                refused={meanwhile}
                lines={describeTyped(fields.kept ?? {})}
              />
              <PractitionerFields values={values} set={set} errors={errors} isNew={false} />
              <InlineStack gap="200">
                <Button submit variant="primary" loading={fetcher.state !== "idle"}>
                  Save
                </Button>
                <Button onClick={() => setOpen(false)}>Cancel</Button>
              </InlineStack>
            </BlockStack>
          </fetcher.Form>
        ) : (
          <InlineStack gap="200">
            <Button onClick={() => setOpen(true)} accessibilityLabel={`Edit ${label || name}`}>
              Edit
            </Button>
            <Button
              tone="critical"
              loading={fetcher.state !== "idle"}
              accessibilityLabel={`Remove ${label || name}`}
              // While products need it, nothing is removed, and the answer says which they are.
              onClick={() =>
                uses.length > 0 ? send("remove") : void appBridge()?.modal.show(modalId)
              }
            >
              Remove
            </Button>
            <ConfirmModal
              id={modalId}
              title={`Remove ${label || name}?`}
              action="Remove"
              dismiss="Keep"
              isDestructive
              onConfirm={() => send("remove")}
            >
              No product is ordered under provider number {providerNumber}. Tests that were bought
              already still go out under it. To map a product to it again, you have to add the
              practitioner anew.
            </ConfirmModal>
          </InlineStack>
        )}
      </BlockStack>
    </Card>
  );
}
