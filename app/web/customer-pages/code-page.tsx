import type { StepUpState } from "../../modules/access/check-code.ts";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { beginHere } from "./field-fault.tsx";
import { Notice, type Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";

export type CodeFault = "wrong" | "malformed" | "no_code" | "not_mailed" | "unclear" | null;

/** Asks for the mailed code that results behind a link need. The form posts to the page's own address. */
export function codePage(
  { to, hasCode, pausedUntil }: StepUpState,
  context: PageContext,
  { fault = null, now }: { fault?: CodeFault; now: Date },
): Page {
  const minutes = pausedUntil && Math.ceil((pausedUntil.getTime() - now.getTime()) / 60_000);
  // A fault of the digits stands at their field.
  const error = fault === "wrong" || fault === "malformed" ? words(`code.${fault}`) : null;
  const token = <input type="hidden" name={FORM_TOKEN} value={context.formToken} />;
  return {
    title: words("code.heading"),
    status: statusOf(fault, minutes),
    isError: fault !== null || minutes !== null,
    content: (
      <>
        <p>
          <a className="pw-way" href={context.base || "/"}>
            {words("and_here.back")}
          </a>
        </p>
        {minutes ? (
          <Notice bad heading={words("code.paused")}>
            <p>{words("code.paused_next", { time: countOf(minutes, "minute") })}</p>
          </Notice>
        ) : (
          <>
            {fault && !error && (
              <Notice bad heading={words(`code.${fault}`)}>
                <p>{words(`code.${fault}_next`)}</p>
              </Notice>
            )}
            {hasCode ? (
              <CodeForm to={to} error={error} token={token} />
            ) : (
              <p>{words("code.why", { to })}</p>
            )}
            <form method="post">
              {token}
              <button
                type="submit"
                name="intent"
                value="send"
                className={hasCode ? undefined : "pw-first"}
              >
                {words(hasCode ? "code.resend" : "code.send")}
              </button>
            </form>
          </>
        )}
      </>
    ),
  };
}

function CodeForm({
  to,
  error,
  token,
}: {
  to: string;
  error: string | null;
  token: React.ReactElement;
}) {
  return (
    <>
      <p role="status">{words("code.sent", { to })}</p>
      <form method="post" noValidate>
        {token}
        <div className="pw-field">
          <label htmlFor="code">{words("code.label")}</label>
          <input
            id="code"
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            // Somebody pastes the whole line of the email.
            maxLength={80}
            required
            {...beginHere(error !== null)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? "code-hint code-error" : "code-hint"}
          />
          <p className="pw-quiet" id="code-hint">
            {words("code.hint")}
          </p>
          {error && (
            <p className="pw-error" id="code-error" role="alert">
              {error}
            </p>
          )}
        </div>
        <p>
          <button type="submit" name="intent" value="check" className="pw-first">
            {words("code.check")}
          </button>
        </p>
      </form>
    </>
  );
}

function statusOf(fault: CodeFault, minutes: number | null): number {
  if (minutes) return 429;
  if (fault === "not_mailed") return 503;
  // The code may be on its way, and the page takes it.
  if (fault === "unclear") return 200;
  return fault ? 422 : 200;
}
