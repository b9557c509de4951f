import { useFetcher } from "@remix-run/react";
import { Banner, type BannerHandles, BlockStack, Card, Text } from "@shopify/polaris";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { useUnsaved } from "../../components/save-bar/use-unsaved.ts";
import type { Environment } from "../../modules/shops/connection.ts";
import { ClinicalTexts } from "./clinical-texts.tsx";
import { CustomerHelpFields } from "./customer-help-fields.tsx";
import { POLICIES_FORM } from "./form-names.ts";
import { GoLive } from "./go-live.tsx";
import { OrderPolicies } from "./order-policies.tsx";
import type { PolicyValues } from "./policy-values.ts";
import type {
  AcceptedTextsView,
  PoliciesView,
  PreflightView,
  ScopesView,
} from "./present-settings.ts";
import { ResultPolicies } from "./result-policies.tsx";
import { StorePolicies } from "./store-policies.tsx";

interface Props {
  saved: PoliciesView;
  acceptedTexts: AcceptedTextsView;
  preflight: PreflightView;
  /** Refunds that wait for a decision. */
  refundsWaiting: number;
  connected: Environment[];
  offered: Environment[];
  missingScopes: ScopesView;
  /** Where customers with a legacy account find their tests; null elsewhere. */
  accountPageUrl: string | null;
}

/** How the shop wants its orders and results handled: one form, in six cards. */
export function PoliciesSection({
  saved,
  acceptedTexts,
  preflight,
  refundsWaiting,
  connected,
  offered,
  missingScopes,
  accountPageUrl,
}: Props) {
  const fetcher = useFetcher<FormAnswer>();
  const ref = useRef<HTMLFormElement>(null);
  const { reviewer, clinicalContact, help, releaseAfterHours, ...plain } = saved;
  const fields = useFields<PolicyValues>({
    ...plain,
    minimumAge: String(saved.minimumAge),
    reviewerName: reviewer?.name ?? "",
    reviewerPhone: reviewer?.phone ?? "",
    reviewerEmail: reviewer?.email ?? "",
    contactName: clinicalContact?.name ?? "",
    contactPhone: clinicalContact?.phone ?? "",
    helpEmail: help.email ?? "",
    helpPhone: help.phone ?? "",
    helpHours: help.hours ?? "",
    releaseAfterHours: String(releaseAfterHours),
    acceptClinicalTexts: false,
    waitingRefunds: "leave",
  });
  const answer = useAnswer(fetcher, POLICIES_FORM, fields.reset);
  useUnsaved({
    isDirty: fields.isDirty,
    isSaving: fetcher.state !== "idle",
    save: () => ref.current?.requestSubmit(),
    discard: fields.reset,
  });
  const banner = useRef<BannerHandles>(null);
  const isInTheWay = answer?.errors?.changedMeanwhile;
  useEffect(() => {
    if (isInTheWay) banner.current?.focus();
  }, [isInTheWay]);
  const seen = useSeen(ref, fields.isDirty, JSON.stringify(saved));
  const part = { fields, errors: answer?.errors ?? {} };
  return (
    <SettingsSection
      title="Orders and results"
      description={
        <Text as="p" tone="subdued">
          What Pathway does by itself, and what waits for you. Changes apply to what happens from
          now on.
        </Text>
      }
    >
      <fetcher.Form method="post" ref={ref} noValidate>
        <input type="hidden" name="intent" value="save-policies" />
        <input type="hidden" name="seen" value={seen} />
        <BlockStack gap="400">
          {isInTheWay && (
            <Banner ref={banner} tone="critical" title="Somebody else changed the same settings">
              <p>{isInTheWay}</p>
            </Banner>
          )}
          <Card>
            <GoLive
              {...part}
              saved={saved.environment}
              connected={connected}
              offered={offered}
              preflight={preflight}
            />
          </Card>
          <Card>
            <ClinicalTexts {...part} accepted={acceptedTexts} />
          </Card>
          <Card>
            <OrderPolicies {...part} saved={saved.refundPolicy} refundsWaiting={refundsWaiting} />
          </Card>
          <Card>
            <div id="results">
              <ResultPolicies {...part} />
            </div>
          </Card>
          <Card>
            <div id="help">
              <CustomerHelpFields {...part} accountPageUrl={accountPageUrl} />
            </div>
          </Card>
          <Card>
            <StorePolicies {...part} saved={saved} missingScopes={missingScopes} />
          </Card>
        </BlockStack>
      </fetcher.Form>
    </SettingsSection>
  );
}

/** What the form would send as the page was opened: what is left so is not saved, whatever others saved meanwhile. */
function useSeen(form: RefObject<HTMLFormElement | null>, isDirty: boolean, saved: string): string {
  const [seen, setSeen] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved changes what the form shows.
  useEffect(() => {
    if (isDirty || !form.current) return;
    const fields = [...new FormData(form.current)].filter(([name]) => name !== "seen");
    setSeen(JSON.stringify(Object.fromEntries(fields)));
  }, [form, isDirty, saved]);
  return seen;
}
