import type { WebContext } from "../context.ts";
import { type Html, html } from "../html.ts";
import { accountPage } from "./layout.ts";

interface LoginInput {
  returnPath: string;
  email?: string;
  error?: string;
}

/** First step: the email address. */
export function loginPage(web: WebContext, input: LoginInput): Promise<Html> {
  return accountPage(web, {
    title: "Sign in",
    customer: null,
    content: html`<section class="card sign-in-card">
      <h1>Sign in</h1>
      <p>Enter your email address and we will send you a code. No password is needed.</p>
      <form method="post" action="/account/login">
        <input type="hidden" name="return" value="${input.returnPath}" />
        <div class="field">
          <label for="email">Email address</label>
          <input id="email" name="email" type="email" autocomplete="email" required value="${input.email ?? ""}"
            ${input.error && html`aria-invalid="true" aria-describedby="email-error"`} />
          ${input.error && html`<p class="error" id="email-error">${input.error}</p>`}
        </div>
        <button class="button primary wide">Continue</button>
      </form>
    </section>`,
  });
}

/** Second step: the six digits from the mail. */
export function codePage(web: WebContext, input: LoginInput): Promise<Html> {
  return accountPage(web, {
    title: "Enter your code",
    customer: null,
    content: html`<section class="card sign-in-card">
      <h1>Enter your code</h1>
      <p>We sent a six-digit code to <strong>${input.email}</strong>.</p>
      <p class="sandbox-hint">Sandbox: the mail is in the <a href="/sandbox/mail" target="_blank">inbox</a>.</p>
      <form method="post" action="/account/login/code">
        <input type="hidden" name="return" value="${input.returnPath}" />
        <input type="hidden" name="email" value="${input.email ?? ""}" />
        <div class="field">
          <label for="code">Code</label>
          <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required
            ${input.error && html`aria-invalid="true" aria-describedby="code-error"`} />
          ${input.error && html`<p class="error" id="code-error">${input.error}</p>`}
        </div>
        <button class="button primary wide">Sign in</button>
      </form>
      <p><a href="/account/login">Use another email address</a></p>
    </section>`,
  });
}
