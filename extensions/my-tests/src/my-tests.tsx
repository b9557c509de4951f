import { useWords } from "../../shared/app-context.ts";
import { HelpLine } from "../../shared/help-line.tsx";
import { FailureNotice, LoadingNotice } from "../../shared/notices.tsx";
import { groupByOrder, waitingForDetails } from "../../shared/order-groups.ts";
import { RequestCard } from "../../shared/request-card.tsx";
import { useHelp } from "../../shared/use-help.ts";
import { useRequests } from "../../shared/use-requests.ts";
import { type PageNavigation, usePlace } from "./place.ts";
import { ResultView } from "./result-view.tsx";
import { YourData } from "./your-data.tsx";

/** The list of all requests, or one result in full, as the page's address says. */
export function MyTests({ navigation }: { navigation: PageNavigation }) {
  const words = useWords();
  const { requests, failure, loading, reload } = useRequests();
  const [resultId, show] = usePlace(navigation);
  const help = useHelp();
  const check = () => reload();

  if (resultId)
    return (
      <ResultView
        // Nothing of one result stands under the heading of another.
        key={resultId}
        resultId={resultId}
        documents={(requests ?? [])
          .flatMap(({ documents }) => documents)
          .filter((document) => document.resultId === resultId)}
        onOpen={show}
      />
    );

  const waiting = waitingForDetails(requests ?? []);
  return (
    <s-page heading={words("page.heading")} subheading={words("page.subheading")}>
      <s-stack gap="large">
        {failure && <FailureNotice failure={failure} onRetry={check} />}
        {!requests && !failure && <LoadingNotice of="request.loading" />}
        {requests?.length === 0 && !failure && (
          <s-section heading={words("page.empty")}>
            <s-stack gap="base">
              <s-paragraph>{words("page.empty_next")}</s-paragraph>
              <s-stack direction="inline">
                <s-button loading={loading} onClick={check}>
                  {words("request.check_again")}
                </s-button>
              </s-stack>
            </s-stack>
          </s-section>
        )}
        {waiting > 0 && (
          <s-banner tone="warning" heading={words("page.waiting", { number: waiting })}>
            <s-paragraph>{words("page.waiting_next")}</s-paragraph>
          </s-banner>
        )}
        {requests &&
          groupByOrder(requests).map((group) => (
            <s-section key={group.orderId} heading={words("page.order", { name: group.orderName })}>
              <s-stack gap="base">
                {group.requests.map((request) => (
                  <RequestCard
                    key={request.id}
                    request={request}
                    buyer={null}
                    siblings={group.requests}
                    onChanged={reload}
                    toResult={(id) => ({ onClick: () => show(id) })}
                  />
                ))}
              </s-stack>
            </s-section>
          ))}
        {requests && requests.length > 0 && (
          <YourData requests={requests} timeZone={help?.timeZone} onChanged={check} />
        )}
        <HelpLine help={help} />
      </s-stack>
    </s-page>
  );
}
