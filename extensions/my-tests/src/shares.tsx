import { useState } from "preact/hooks";
import { useApp, useWords } from "../../shared/app-context.ts";
import type { Share } from "../../shared/customer-api.ts";
import type { Failure } from "../../shared/failure.ts";
import { FailureNotice } from "../../shared/notices.tsx";
import { showMoment } from "../../shared/show-date.ts";

/** So long a link opens that is made here; the page behind an emailed link offers other times. */
const DAYS = 14;

/** Shares one result with a doctor: a link and a passcode, every look at it, and its end. */
export function Shares({
  resultId,
  timeZone,
}: {
  resultId: string;
  timeZone: string | null | undefined;
}) {
  const { api, host } = useApp();
  const words = useWords();
  const [shares, setShares] = useState<Share[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const date = (moment: string) => showMoment(host.i18n, moment, timeZone);
  const load = async () => {
    const outcome = await api.listShares();
    setFailure(outcome.ok ? null : outcome.failure);
    if (outcome.ok) setShares(outcome.value.filter((one) => one.resultId === resultId));
  };
  const change = async (work: () => ReturnType<typeof api.shareResult | typeof api.endShare>) => {
    // The second of two presses finds the buttons drawn anew, and busy, before the page shows them so.
    if (busy) return;
    setBusy(true);
    const outcome = await work();
    setBusy(false);
    if (outcome.ok) return load();
    setFailure(outcome.failure);
  };
  return (
    <s-details onToggle={() => void load()}>
      <s-summary>{words("share.link")}</s-summary>
      <s-stack gap="base">
        <s-paragraph>{words("share.what")}</s-paragraph>
        {failure && <FailureNotice failure={failure} onRetry={() => void load()} />}
        {(shares ?? []).map((share, index, { length }) => (
          <s-section key={share.id} heading={words("share.one", { number: length - index })}>
            <s-stack gap="small">
              <s-text>{words("share.until", { date: date(share.expiresAt) })}</s-text>
              <s-text type="strong">{share.url}</s-text>
              <s-text>{words("share.passcode")}</s-text>
              <s-text type="strong">{share.passcode.replace(/(\d{4})(?=\d)/, "$1 ")}</s-text>
              {share.opens.length === 0 && <s-text>{words("share.opens_nothing")}</s-text>}
              {share.opens.map(({ at }) => (
                <s-text key={at}>{words("share.opened_on", { date: date(at) })}</s-text>
              ))}
              <s-stack direction="inline">
                <s-button
                  loading={busy}
                  accessibilityLabel={`${words("share.end")}: ${words("share.one", { number: length - index })}`}
                  onClick={() => void change(() => api.endShare(share.id))}
                >
                  {words("share.end")}
                </s-button>
              </s-stack>
            </s-stack>
          </s-section>
        ))}
        <s-stack direction="inline">
          <s-button
            loading={busy}
            onClick={() => void change(() => api.shareResult(resultId, DAYS))}
          >
            {words("share.make")}
          </s-button>
        </s-stack>
      </s-stack>
    </s-details>
  );
}
