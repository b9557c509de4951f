import { unitName } from "../../../extensions/shared/unit-name.ts";
import { sayAccess } from "../../modules/access/access-words.ts";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { ListedAccess } from "../../modules/access/list-accesses.ts";
import type { ErasureEffect } from "../../modules/privacy/data-version.ts";
import type { PresentedRequest } from "../customer-interface/present-request.ts";
import type { Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";
import { longMoment } from "./show-date.ts";

/** Ending the visits by links signs nobody out of an account, which is the store's. */
export const visitWords = (hasAccount: boolean) => (hasAccount ? "account_visits" : "visits");

/** What a visitor can do with what is held about them: take it, see who opened it, sign out everywhere, have it deleted. */
export function dataPage(
  {
    units,
    accesses,
    hasAccount,
  }: { units: PresentedRequest[]; accesses: ListedAccess[]; hasAccount: boolean },
  { base, formToken, timeZone }: PageContext,
): Page {
  const held = units.filter((unit) => !unit.handOver);
  const visits = visitWords(hasAccount);
  return {
    title: words("data.heading"),
    status: 200,
    content: (
      <>
        <p>
          <a className="pw-way" href={base || "/"}>
            {words("and_here.back")}
          </a>
        </p>
        <section className="pw-card" aria-labelledby="take">
          <h2 id="take">{words("data.take")}</h2>
          <p>{words("data.take_next")}</p>
          <div className="pw-actions">
            <a className="pw-button pw-first" href={`${base}/export`}>
              {words("data.download")}
            </a>
          </div>
        </section>
        <p>
          <a className="pw-way" href={`${base}/agreed`}>
            {words("agreed.link")}
          </a>
        </p>
        {hasAccount && (
          <p>
            <a className="pw-way" href={`${base}/saved`}>
              {words("saved_people.heading")}
            </a>
          </p>
        )}
        <section className="pw-card" aria-labelledby="visits">
          <h2 id="visits">{words(`${visits}.heading`)}</h2>
          <p>{words(`${visits}.next`)}</p>
          {held.some((unit) => unit.resultId) && <p>{words("visits.shares")}</p>}
          <form method="post" action={`${base}/data/visits`} className="pw-actions">
            <input type="hidden" name={FORM_TOKEN} value={formToken} />
            <button type="submit">{words(`${visits}.end`)}</button>
          </form>
        </section>
        <section className="pw-card" aria-labelledby="erase">
          <h2 id="erase">{words("data.erase")}</h2>
          <p>{words("data.erase_next")}</p>
          <ul className="pw-plain">
            {held.map((unit) => (
              <li key={unit.id}>
                <a className="pw-way" href={`${base}/requests/${unit.id}/erase`}>
                  {words("data.erase_one", { title: unitName(unit, words) })}
                </a>
              </li>
            ))}
          </ul>
        </section>
        <section className="pw-card" aria-labelledby="opened">
          <h2 id="opened">{words("data.opened")}</h2>
          {accesses.length === 0 ? (
            <p>{words("data.opened_nothing")}</p>
          ) : (
            <ul className="pw-plain">
              {accesses.map((access) => (
                <li
                  key={`${access.at.getTime()} ${access.requestId} ${access.what}`}
                  className="pw-row"
                >
                  <p>
                    {sayAccess(access)}
                    <br />
                    <span className="pw-quiet">
                      {longMoment(access.at, timeZone)} · {access.title}
                    </span>
                  </p>
                </li>
              ))}
            </ul>
          )}
        </section>
      </>
    ),
  };
}

/** Says what deleting one test's data does, before it is done: it cannot be undone. */
export function erasePage(
  {
    id,
    title,
    effect,
    isHidden,
    isChanged = false,
  }: {
    id: string;
    title: string;
    effect: ErasureEffect;
    isHidden: boolean;
    /** It was another effect when the page was shown before. */
    isChanged?: boolean;
  },
  { base, formToken }: PageContext,
): Page {
  return {
    title: words("data.erase_heading", { title }),
    tab: words("and_here.tab.erase"),
    status: 200,
    content: (
      <>
        {isChanged && (
          <p className="pw-error" role="alert">
            {words("and_here.erase_changed")}
          </p>
        )}
        {isHidden ? (
          <Hide
            to={`${base}/requests/${id}/show`}
            says="hidden_next"
            label="show_again"
            formToken={formToken}
          />
        ) : (
          (effect === "has_results" || effect === "unseen_results") && (
            <Hide
              to={`${base}/requests/${id}/hide`}
              says="hide_next"
              label="hide"
              formToken={formToken}
            />
          )
        )}
        <form method="post" action={`${base}/requests/${id}/erase`}>
          <input type="hidden" name={FORM_TOKEN} value={formToken} />
          <input type="hidden" name="seen" value={effect} />
          <p>{words(`data.effect.${effect}`)}</p>
          <p>{words("data.erase_kept")}</p>
          <div className="pw-actions">
            <button type="submit" className="pw-first">
              {words("data.erase_confirm")}
            </button>
            <a className="pw-button" href={`${base}/data`}>
              {words("data.erase_stay")}
            </a>
          </div>
        </form>
      </>
    ),
  };
}

/** Withdrawing without deleting, and back. */
function Hide({
  to,
  says,
  label,
  formToken,
}: {
  to: string;
  says: "hide_next" | "hidden_next";
  label: "hide" | "show_again";
  formToken: string;
}) {
  return (
    <form method="post" action={to} className="pw-card">
      <input type="hidden" name={FORM_TOKEN} value={formToken} />
      <p>{words(`data.${says}`)}</p>
      <div className="pw-actions">
        <button type="submit">{words(`data.${label}`)}</button>
      </div>
    </form>
  );
}
