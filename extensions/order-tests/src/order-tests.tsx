import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import { useEffect, useState } from "preact/hooks";
import { useWords } from "../../shared/app-context.ts";
import { hasTests } from "../../shared/has-tests.ts";
import { HelpLine } from "../../shared/help-line.tsx";
import { FailureNotice, LoadingNotice } from "../../shared/notices.tsx";
import { requestsOfOrder } from "../../shared/order-groups.ts";
import { OrderProgress } from "../../shared/order-progress.tsx";
import { RequestCard } from "../../shared/request-card.tsx";
import { useHelp } from "../../shared/use-help.ts";
import { useRequests } from "../../shared/use-requests.ts";
import { buyerOf } from "./buyer.ts";
import { mayStillArrive } from "./order-age.ts";

/** Handle of the full page that shows results (extensions/my-tests). */
const RESULTS_PAGE = "extension:my-tests/results/";

/** When a new order's block asks again by itself: most orders reach the app within seconds. Then there is a button. */
const ASK_AGAIN_MS = [2_000, 3_000, 5_000, 10_000, 20_000, 30_000];

export function OrderTests({ page }: { page: Api }) {
  const words = useWords();
  // A link from an email opens this page without a login; that is not enough for health matters.
  if (page.authenticationState?.value === "pre_authenticated")
    return (
      <s-section heading={words("block.heading")}>
        <s-stack gap="base">
          <s-paragraph>{words("block.sign_in")}</s-paragraph>
          <s-button variant="primary" onClick={() => void page.requireLogin()}>
            {words("block.sign_in_button")}
          </s-button>
        </s-stack>
      </s-section>
    );
  return <SignedIn page={page} />;
}

function SignedIn({ page }: { page: Api }) {
  const words = useWords();
  const { requests, failure, loading, reload } = useRequests();
  const help = useHelp();
  const order = page.order.value;
  const ours = requests && order ? requestsOfOrder(requests, order.id) : null;
  const check = () => reload();

  const isAwaited =
    ours?.length === 0 && !failure && mayStillArrive(order?.processedAt, new Date());
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const afterMs = ASK_AGAIN_MS[asked];
    if (!isAwaited || loading || afterMs === undefined) return;
    const timer = setTimeout(() => {
      setAsked(asked + 1);
      reload();
    }, afterMs);
    return () => clearTimeout(timer);
  }, [isAwaited, loading, asked, reload]);

  // Beside other goods nothing is said of tests, though the app may still hear of some.
  const isAnnounced = isAwaited || !ours;
  const mayBeOther = !ours?.length && !failure;
  if (mayBeOther && !(isAnnounced && hasTests(page.appMetafields.value))) return null;
  return (
    <s-section heading={words("block.heading")}>
      <s-stack gap="base">
        {failure && <FailureNotice failure={failure} onRetry={check} />}
        {!ours && !failure && <LoadingNotice of="request.loading" />}
        {ours?.length === 0 && !failure && (
          <s-stack gap="small">
            <s-paragraph>{words("block.empty")}</s-paragraph>
            <s-stack direction="inline">
              <s-button loading={loading} onClick={check}>
                {words("request.check_again")}
              </s-button>
            </s-stack>
          </s-stack>
        )}
        {ours && <OrderProgress requests={ours} />}
        {ours?.map((request) => (
          <RequestCard
            key={request.id}
            request={request}
            buyer={buyerOf(page)}
            siblings={ours}
            onChanged={reload}
            toResult={(resultId) => ({ href: RESULTS_PAGE + encodeURIComponent(resultId) })}
          />
        ))}
        <HelpLine help={help} />
      </s-stack>
    </s-section>
  );
}
