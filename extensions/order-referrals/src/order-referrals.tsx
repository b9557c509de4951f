import type { Api } from "@shopify/ui-extensions/admin.order-details.block.render";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Outcome } from "../../shared/failure.ts";
import {
  fetchOrderRequests,
  needsStaff,
  numericOrderId,
  type OrderRequest,
} from "./order-requests.ts";

export function OrderReferrals({ page }: { page: Pick<Api, "auth" | "data" | "i18n"> }) {
  const words = (key: string) => page.i18n.translate(key);
  const order = numericOrderId(page.data.selected[0]?.id);
  const [outcome, setOutcome] = useState<Outcome<OrderRequest[]> | null>(null);

  const load = useCallback(async () => {
    setOutcome(null);
    if (order) setOutcome(await fetchOrderRequests(order, () => page.auth.idToken()));
    else setOutcome({ ok: false, failure: { kind: "not_found" } });
  }, [page, order]);

  useEffect(() => {
    void load();
  }, [load]);

  return (
    <s-admin-block heading={words("heading")}>
      <s-stack gap="base">
        {outcome === null && <s-spinner accessibilityLabel={words("loading")} />}
        {outcome?.ok === false && (
          <s-banner tone={outcome.failure.kind === "not_found" ? "info" : "critical"}>
            <s-paragraph>{words(`failure.${outcome.failure.kind}`)}</s-paragraph>
            <s-button onClick={() => void load()}>{words("retry")}</s-button>
          </s-banner>
        )}
        {outcome?.ok && outcome.value.length === 0 && <s-paragraph>{words("empty")}</s-paragraph>}
        {outcome?.ok &&
          outcome.value.map((request) => <RequestRow key={request.id} request={request} />)}
        {outcome?.ok && order && (
          <s-link href={`app:app/orders/${order}`}>{words("open_order")}</s-link>
        )}
      </s-stack>
    </s-admin-block>
  );
}

function RequestRow({ request }: { request: OrderRequest }) {
  return (
    <s-stack gap="small-200">
      <s-stack direction="inline" gap="small" alignItems="center">
        <s-text type="strong">{request.title}</s-text>
        <s-badge tone={needsStaff(request) ? "warning" : "neutral"}>{request.stateText}</s-badge>
      </s-stack>
      {request.nextStep && <s-text color="subdued">{request.nextStep}</s-text>}
    </s-stack>
  );
}
