import { useApp, useWords } from "../../shared/app-context.ts";
import { FailureNotice } from "../../shared/notices.tsx";
import { showMoment } from "../../shared/show-date.ts";
import { useAnswer } from "../../shared/use-answer.ts";

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
  const date = (moment: string) => showMoment(host.i18n, moment, timeZone);
  const [shares, load, failure] = useAnswer(async () => {
    const outcome = await api.listShares();
    if (!outcome.ok) return outcome;
    return { ok: true as const, value: outcome.value.filter((one) => one.resultId === resultId) };
  });
  // Answers the link that was made, or nothing when one was ended.
  const [made, change, refused, busy] = useAnswer(
    async (work: () => ReturnType<typeof api.shareResult | typeof api.endShare>) => {
      const outcome = await work();
      if (outcome.ok) await load();
      return outcome;
    },
  );
  return (
    <s-details onToggle={() => void load()}>
      <s-summary>{words("share.link")}</s-summary>
      <s-stack gap="base">
        <s-paragraph>{words("share.what")}</s-paragraph>
        {failure && <FailureNotice failure={failure} onRetry={() => void load()} />}
        {refused && <FailureNotice failure={refused} />}
        {made && (
          <s-banner tone="success" heading={words("share.made")}>
            <s-paragraph>{words("share.made_next")}</s-paragraph>
          </s-banner>
        )}
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
