import { randomUUID } from "node:crypto";
import { encode } from "uqr";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { SharedResult } from "../../modules/access/open-share.ts";
import { countOf } from "../../modules/kernel/words.ts";
import type { CustomerHelp } from "../../modules/shops/customer-help.ts";
import type { presentShare } from "../customer-interface/present-share.ts";
import { beginHere } from "./field-fault.tsx";
import { messagePage } from "./message-pages.tsx";
import { Notice, type Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";
import { resultPage } from "./result-page.tsx";
import { longMoment } from "./show-date.ts";
import { documentName } from "./units-page.tsx";

/** Names the share that a form makes. */
export const SHARE_FIELD = "share";

/** Lets an owner share one result, and shows what is shared of it: link, code, passcode, end, and every look. */
export function sharesPage(
  {
    resultId,
    title,
    shares,
    fault = null,
    told = null,
  }: {
    resultId: string;
    title: string;
    shares: ReturnType<typeof presentShare>[];
    fault?: "invalid" | "too_many" | null;
    /** The visitor's last act with one of them, if it was just now. */
    told?: "made" | "ended" | null;
  },
  { base, formToken, timeZone }: PageContext,
): Page {
  const token = <input type="hidden" name={FORM_TOKEN} value={formToken} />;
  return {
    title: words("share.heading", { title }),
    tab: words("and_here.tab.share"),
    status: fault ? 422 : 200,
    isError: fault !== null,
    content: (
      <>
        <p>
          <a className="pw-way" href={`${base}/results/${resultId}`}>
            {words("share.back")}
          </a>
        </p>
        <p>{words("share.what")}</p>
        {fault && (
          <Notice bad heading={words(`share.${fault}`)}>
            <p>{words(`share.${fault}_next`)}</p>
          </Notice>
        )}
        {told && !fault && (
          <Notice heading={words(`share.${told}`)} focused>
            <p>{words(`share.${told}_next`)}</p>
          </Notice>
        )}
        {shares.map((share, index) => (
          <section key={share.id} className="pw-card" aria-labelledby={`share-${share.id}`}>
            <h2 id={`share-${share.id}`}>
              {words("share.one", { number: shares.length - index })}
            </h2>
            <p>{words("share.until", { date: longMoment(share.expiresAt, timeZone) })}</p>
            <p>
              {words("share.address")}
              <br />
              <strong>{share.url}</strong>
            </p>
            <QrCode address={share.url} />
            <p>
              {words("share.passcode")}
              <br />
              <strong className="pw-value">{share.passcode.replace(/(\d{4})(?=\d)/, "$1 ")}</strong>
            </p>
            <h3>{words("share.opens")}</h3>
            {share.opens.length === 0 ? (
              <p>{words("share.opens_nothing")}</p>
            ) : (
              <ul className="pw-plain">
                {share.opens.map(({ at }) => (
                  <li key={at.getTime()}>{longMoment(at, timeZone)}</li>
                ))}
              </ul>
            )}
            <form method="post" action={`${base}/shares/${share.id}/end`} className="pw-actions">
              {token}
              <input type="hidden" name="result" value={resultId} />
              <button type="submit">
                {words("share.end")}
                <span className="pw-hidden">
                  : {words("share.one", { number: shares.length - index })}
                </span>
              </button>
            </form>
          </section>
        ))}
        <form method="post" action={`${base}/results/${resultId}/shares`} className="pw-card">
          {token}
          <input type="hidden" name={SHARE_FIELD} value={randomUUID()} />
          <h2>{words("share.new")}</h2>
          <div className="pw-field">
            <label htmlFor="days">{words("share.days")}</label>
            <select id="days" name="days" defaultValue="14">
              {[1, 7, 14, 30, 90].map((days) => (
                <option key={days} value={days}>
                  {words(days === 1 ? "share.day" : "share.days_number", { days })}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" className={shares.length > 0 ? undefined : "pw-first"}>
            {words("share.make")}
          </button>
        </form>
      </>
    ),
  };
}

/** The address as a picture that a phone reads, drawn here: the address goes to nobody. */
function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      className="pw-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={words("share.picture")}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}

/** Asks a doctor for the passcode. The same for every result: it says nothing of this one. */
export function passcodePage({
  help,
  fault = null,
  pausedSeconds = null,
}: {
  help: CustomerHelp;
  fault?: "wrong" | "malformed" | null;
  pausedSeconds?: number | null;
}): Page {
  return {
    title: words("share.ask"),
    status: pausedSeconds ? 429 : fault ? 422 : 200,
    isError: fault !== null || pausedSeconds !== null,
    content: pausedSeconds ? (
      <Notice bad heading={words("code.paused")}>
        <p>
          {words("share.paused_next", { time: countOf(Math.ceil(pausedSeconds / 60), "minute") })}
        </p>
      </Notice>
    ) : (
      <form method="post" noValidate>
        <p>{words("share.ask_next", { shop: help.shopName })}</p>
        <div className="pw-field">
          <label htmlFor="passcode">{words("share.passcode")}</label>
          <input
            id="passcode"
            name="passcode"
            type="text"
            inputMode="numeric"
            autoComplete="off"
            maxLength={80}
            required
            {...beginHere(fault !== null)}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? "passcode-error" : undefined}
          />
          {fault && (
            <p className="pw-error" id="passcode-error" role="alert">
              {words(`share.${fault}`)}
            </p>
          )}
        </div>
        <button type="submit" className="pw-first">
          {words("share.open")}
        </button>
      </form>
    ),
  };
}

/** For the report of a share that goes on, in a browser that has not shown the passcode within two hours. */
export const passcodeAgainPage = (base: string): Page => ({
  title: words("share.again"),
  status: 404,
  content: (
    <>
      <p>{words("share.again_next")}</p>
      <p>
        <a className="pw-way" href={base}>
          {words("share.again_link")}
        </a>
      </p>
    </>
  ),
});

export const shareGonePage = (): Page => messagePage("share.gone", { status: 404 });

/** One result as its owner's doctor sees it: values and report, without a way to anything else. */
export function sharedPage({ view, report, expiresAt }: SharedResult, base: string): Page {
  const documents = report ? [{ id: report.id, name: documentName(report) }] : [];
  const { timeZone } = view;
  const page = resultPage(view, { base }, documents, { isShared: true });
  return {
    ...page,
    content: (
      <>
        <p>{words("share.shown", { date: longMoment(expiresAt, timeZone) })}</p>
        {page.content}
      </>
    ),
  };
}
