import type { ComponentChildren } from "preact";
import { useApp, useWords } from "../../shared/app-context.ts";
import type { Outcome } from "../../shared/failure.ts";
import { FailureNotice } from "../../shared/notices.tsx";
import { OpenedLink } from "../../shared/opened-link.tsx";
import type { TestRequest } from "../../shared/requests.ts";
import { showDate, showMoment } from "../../shared/show-date.ts";
import { unitName } from "../../shared/unit-name.ts";
import { useAnswer } from "../../shared/use-answer.ts";

/** What a customer can do with what is held about them: take it, see who opened it, have it deleted. */
export function YourData({
  requests,
  timeZone,
  onChanged,
}: {
  requests: TestRequest[];
  timeZone: string | null | undefined;
  onChanged: () => void;
}) {
  const words = useWords();
  const held = requests.filter((one) => !one.handOver);
  return (
    <s-section heading={words("data.heading")}>
      <s-stack gap="base">
        <Download />
        <Consents timeZone={timeZone} />
        <Accesses timeZone={timeZone} />
        <s-details>
          <s-summary>{words("data.erase")}</s-summary>
          <s-stack gap="small">
            <s-paragraph>{words("data.erase_next")}</s-paragraph>
            {held.map((request) => (
              <Erasure key={request.id} request={request} onErased={onChanged} />
            ))}
          </s-stack>
        </s-details>
      </s-stack>
    </s-section>
  );
}

function Download() {
  const { api, host } = useApp();
  const words = useWords();
  const [answer, load, failure, loading] = useAnswer(async () => {
    const outcome = await api.openExport();
    if (outcome.ok) host.navigate(outcome.value);
    return outcome;
  });
  return (
    <s-stack gap="small">
      <s-paragraph>{words("data.take_next")}</s-paragraph>
      <s-stack direction="inline">
        <s-button loading={loading} onClick={() => void load()}>
          {words("data.download")}
        </s-button>
      </s-stack>
      {answer && <OpenedLink address={answer} />}
      {failure && <FailureNotice failure={failure} />}
    </s-stack>
  );
}

interface InShopTime {
  timeZone: string | null | undefined;
}

/** One list of what is held, asked for when it is opened. */
function Asked<T>({
  of,
  ask,
  children,
}: {
  of: "agreed" | "opened";
  ask: () => Promise<Outcome<T[]>>;
  children: (all: T[]) => ComponentChildren;
}) {
  const words = useWords();
  const [answer, load, failure] = useAnswer(ask);
  return (
    <s-details onToggle={() => void load()}>
      <s-summary>{words(`data.${of}`)}</s-summary>
      {failure && <FailureNotice failure={failure} onRetry={() => void load()} />}
      {answer &&
        (answer.length > 0 ? children(answer) : <s-text>{words(`data.${of}_nothing`)}</s-text>)}
    </s-details>
  );
}

function Accesses({ timeZone }: InShopTime) {
  const { api, host } = useApp();
  const words = useWords();
  return (
    <Asked of="opened" ask={api.listAccesses}>
      {(accesses) => (
        <s-unordered-list>
          {accesses.map(({ at, text, title }) => (
            <s-list-item key={`${at} ${text}`}>
              {words("data.opened_one", { date: showMoment(host.i18n, at, timeZone), text, title })}
            </s-list-item>
          ))}
        </s-unordered-list>
      )}
    </Asked>
  );
}

function Consents({ timeZone }: InShopTime) {
  const { api, host } = useApp();
  const words = useWords();
  return (
    <Asked of="agreed" ask={api.listConsents}>
      {(consents) =>
        consents.map(({ title, version, givenAt, wording }) => (
          <s-stack key={givenAt + title} gap="small">
            <s-heading>
              {words("data.agreed_one", {
                title,
                version,
                date: showDate(host.i18n, givenAt, timeZone, "medium"),
              })}
            </s-heading>
            {wording.map((paragraph) => (
              <s-paragraph key={paragraph}>{paragraph}</s-paragraph>
            ))}
          </s-stack>
        ))
      }
    </Asked>
  );
}

/** One test's data: first what deleting it does, then the button that does it. */
function Erasure({ request, onErased }: { request: TestRequest; onErased: () => void }) {
  const { api } = useApp();
  const words = useWords();
  const [effect, ask, failure, , forget] = useAnswer(() => api.previewErasure(request.id));
  const [done, finish, refused] = useAnswer(
    async (call: () => Promise<Outcome<"erased" | "waiting" | "hidden" | "shown">>) => {
      const outcome = await call();
      if (outcome.ok) onErased();
      return outcome;
    },
  );
  const shown = refused ?? failure;
  const title = unitName(request, words);
  const isHidden = request.state === "results_hidden";
  const hasResults = effect?.includes("results");
  if (done)
    return (
      <s-banner tone="success" heading={words(`data.${done}`)}>
        <s-paragraph>{words(`data.${done}_next`)}</s-paragraph>
      </s-banner>
    );
  return (
    <s-stack gap="small">
      {effect ? (
        <s-banner tone="warning" heading={words("data.erase_heading", { title })}>
          <s-stack gap="small">
            <s-paragraph>{words(`data.effect.${effect}`)}</s-paragraph>
            <s-paragraph>{words("data.erase_kept")}</s-paragraph>
            {hasResults && (
              <s-paragraph>{words(isHidden ? "data.hidden_next" : "data.hide_next")}</s-paragraph>
            )}
            <s-stack direction="inline" gap="small">
              <s-button
                tone="critical"
                onClick={() => void finish(() => api.erase(request.id, effect))}
              >
                {words("data.erase_confirm")}
              </s-button>
              {hasResults && (
                <s-button onClick={() => void finish(() => api.hideResults(request.id, !isHidden))}>
                  {words(isHidden ? "data.show_again" : "data.hide")}
                </s-button>
              )}
              <s-button onClick={forget}>{words("data.erase_stay")}</s-button>
            </s-stack>
          </s-stack>
        </s-banner>
      ) : (
        <s-stack direction="inline">
          <s-button onClick={() => void ask()}>{words("data.erase_one", { title })}</s-button>
        </s-stack>
      )}
      {shown && <FailureNotice failure={shown} />}
    </s-stack>
  );
}
