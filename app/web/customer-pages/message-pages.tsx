import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { LinkEnd } from "../../modules/access/link-end.ts";
import type { AlertKind } from "../../modules/shops/alert.ts";
import { STOP_ALERT, stoppedAlerts } from "../../modules/shops/alert-words.ts";
import { isDocumentStoreFailed } from "../../platform/errors.ts";
import { Notice, type Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";

/** A page that only says something: a heading, and what to do next. */
export const messagePage = (
  key: string,
  { status = 200, back }: { status?: number; back?: string | undefined } = {},
): Page => ({
  title: words(key),
  status,
  content: (
    <>
      <p>{words(`${key}_next`)}</p>
      {back !== undefined && (
        <p>
          <a className="pw-way" href={back}>
            {words("and_here.back")}
          </a>
        </p>
      )}
    </>
  ),
});

/** One answer for what is unknown, somebody else's, not released, or withdrawn. */
export const notFoundPage = (back?: string): Page =>
  messagePage("and_here.not_found", { status: 404, back });

/** For a form that stood open while its test was cancelled. */
export const cancelledPage = ({ base }: Pick<PageContext, "base">): Page =>
  messagePage("and_here.cancelled", { status: 409, back: base });

/** Where the store of documents does not give one. Every other error goes on its way. */
export function documentAwayPage(error: unknown, back?: string): Page {
  if (!isDocumentStoreFailed(error)) throw error;
  return messagePage("and_here.document_away", { status: 503, back });
}

/**
 * The page that a mailed link leads to. Looking at it changes nothing: the button does. `hasNoCookie`: the button was pressed, and
 * the browser did not show the cookie that came with the page.
 */
export const openLinkPage = (
  shopName: string,
  { formToken, hasNoCookie = false }: { formToken: string; hasNoCookie?: boolean },
): Page => ({
  title: words("link.heading", { shop: shopName }),
  status: hasNoCookie ? 422 : 200,
  isError: hasNoCookie,
  content: (
    <>
      {hasNoCookie && (
        <Notice bad heading={words("link.no_cookie")}>
          <p>{words("link.no_cookie_next")}</p>
        </Notice>
      )}
      <form method="post">
        <input type="hidden" name={FORM_TOKEN} value={formToken} />
        <p>{words("link.ready")}</p>
        <button type="submit" className="pw-first" name="intent" value="open">
          {words("link.open")}
        </button>
      </form>
    </>
  ),
});

/** A link that lets nobody in: what happened, and how to get a new one. The same for all that is no link of ours. */
export const goneLinkPage = (why: LinkEnd | "unknown" = "unknown"): Page =>
  isClosed(why)
    ? { title: words("link.closed"), status: 404, content: <p>{words(`link.closed_${why}`)}</p> }
    : {
        title: words(HAS_RUN_OUT.has(why) ? "link.gone" : "link.closed"),
        status: 404,
        content: (
          <form method="post">
            <p>{words(`link.gone_${why}`)}</p>
            <p>{words("link.gone_next")}</p>
            <button type="submit" className="pw-first" name="intent" value="renew">
              {words("link.renew")}
            </button>
          </form>
        ),
      };

/** A reader whose link was closed for another reason is not to think that somebody else has opened it. */
const HAS_RUN_OUT: ReadonlySet<LinkEnd | "unknown"> = new Set(["used", "expired", "unknown"]);

/** Whether no new link follows one that ended so (renew-link.ts). */
export const isClosed = (why: LinkEnd | "unknown" | null): why is "revoked" | "left" =>
  why === "revoked" || why === "left";

/** `isKept`: what was typed into a form waits behind the new link. */
export function renewedLinkPage({ isKept = false } = {}): Page {
  const page = messagePage("link.renewed");
  if (!isKept) return page;
  const content = (
    <>
      <Notice heading={words("link.kept")}>
        <p>{words("link.kept_next")}</p>
      </Notice>
      {page.content}
    </>
  );
  return { ...page, content };
}

/** Asks whether reminders are to end: an address that is only looked at changes nothing. */
export const stopPage = (): Page => ({
  title: words("stop.heading"),
  status: 200,
  content: (
    <form method="post">
      <p>{words("stop.next")}</p>
      <button type="submit" className="pw-first" name="intent" value="stop">
        {words("stop.confirm")}
      </button>
    </form>
  ),
});

/** For the shop's own people. Looking at it changes nothing: the button does. */
export const stopAlertsPage = (kind: AlertKind): Page => ({
  title: `${STOP_ALERT[kind]}?`,
  status: 200,
  content: (
    <form method="post">
      <p>Only emails to your address stop. Other alerts from Pathway still come.</p>
      <button type="submit" className="pw-first" name="intent" value="stop">
        {STOP_ALERT[kind]}
      </button>
    </form>
  ),
});

/** Also for somebody who was taken off the list: nothing is left to stop. */
export const alertsStoppedPage = (kind: AlertKind): Page => ({
  title: stoppedAlerts(kind),
  status: 200,
  content: (
    <>
      <p>Your address gets no more of these emails.</p>
      <p>A manager can turn them on again in Pathway, under Settings, Notifications.</p>
    </>
  ),
});

/** Sends a visitor of the theme's pages to the shop's sign-in. `isKept`: what was typed into a form waits behind it. */
export const signedOutPage = ({ isKept = false } = {}): Page => ({
  title: words("proxy.signed_out"),
  status: 401,
  content: (
    <>
      {isKept && (
        <Notice heading={words("link.kept")}>
          <p>{words("proxy.kept_next")}</p>
        </Notice>
      )}
      <Notice heading={words("proxy.signed_out_next")} />
      <p>
        <a className="pw-button pw-first" href="/account/login">
          {words("proxy.sign_in")}
        </a>
      </p>
    </>
  ),
});
