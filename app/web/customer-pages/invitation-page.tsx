import { customerWords as words } from "../../modules/access/customer-words.ts";
import { beginHere } from "./field-fault.tsx";
import type { Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";

/** Asks whose the unit is: the buyer's own, or somebody's who then gets a link. */
export const whoPage = (
  { title, id }: { title: string; id: string },
  { base }: PageContext,
): Page => ({
  title: words("who.question"),
  status: 200,
  content: (
    <>
      <p>{title}</p>
      <div className="pw-actions">
        <a className="pw-button pw-first" href={`${base}/requests/${id}/details?who=me`}>
          {words("who.me")}
        </a>
        <a className="pw-button" href={`${base}/requests/${id}/hand-over`}>
          {words("who.somebody")}
        </a>
      </div>
    </>
  ),
});

/** Asks where the patient's link goes. */
export const invitationPage = (
  {
    title,
    id,
    email,
    error,
    status,
  }: { title: string; id: string; email: string; error: string | null; status: number },
  context: PageContext,
): Page => ({
  title: words("and_here.hand_over"),
  status,
  isError: error !== null,
  content: (
    <>
      <p>{title}</p>
      <p>{words("hand_over.explanation")}</p>
      <form method="post" noValidate>
        <input type="hidden" name={FORM_TOKEN} value={context.formToken} />
        <div className="pw-field">
          <label htmlFor="email">{words("hand_over.email")}</label>
          <input
            id="email"
            name="email"
            type="email"
            autoComplete="off"
            defaultValue={email}
            required
            {...beginHere(error !== null)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? "email-error" : undefined}
          />
          {error && (
            <p className="pw-error" id="email-error">
              {error}
            </p>
          )}
        </div>
        <div className="pw-actions">
          <button type="submit" className="pw-first">
            {words("hand_over.send")}
          </button>
          <a className="pw-button" href={`${context.base}/requests/${id}/details?who=somebody`}>
            {words("hand_over.fill_in_myself")}
          </a>
          <a className="pw-button" href={context.base || "/"}>
            {words("form.back")}
          </a>
        </div>
      </form>
    </>
  ),
});
