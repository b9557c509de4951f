import { signIn, signUp } from "../console/account-routes.ts";
import { accountOfToken } from "../console/console-call.ts";
import type { ConsoleDependencies } from "../console/dependencies.ts";
import type { Answer } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route, RoutedRequest } from "../http/router.ts";
import { TokenError } from "../tokens/token-error.ts";
import { form, textField } from "./fields.ts";
import { type Html, html } from "./html.ts";
import { type Notice, pageAnswer } from "./layout.ts";
import { readForm } from "./page-route.ts";
import { endSession, sessionCookie } from "./session.ts";

const password = (label: string, autocomplete: string): Html =>
  textField({ name: "password", label, type: "password", autocomplete });

const email = (): Html =>
  textField({ name: "email", label: "Email address", type: "email", autocomplete: "email" });

const signUpBody = html`<div class="card">${form(
  "/sign-up",
  "Create account",
  html`${email()}${password("Password", "new-password")}`,
)}</div><p>You have an account? <a href="/sign-in">Sign in</a>.</p>`;

const signInBody = html`<div class="card">${form(
  "/sign-in",
  "Sign in",
  html`${email()}${password("Password", "current-password")}`,
)}</div><div class="card"><h2>Or with the console token</h2>${form(
  "/sign-in",
  "Open the console",
  textField({
    name: "token",
    label: "Console token",
    type: "password",
    hint: "Printed when the service starts; it opens the organisation that exists from the start.",
  }),
)}</div><p>New here? <a href="/sign-up">Create an account</a>.</p>`;

/** Sign-up, sign-in and sign-out. */
export function signInPages(dependencies: ConsoleDependencies): Route[] {
  const { core, consoleToken } = dependencies;
  const { environment } = core.options;
  const page = (title: string, body: Html, notice: Notice | null = null): Answer =>
    pageAnswer(
      { environment, account: null, section: "" },
      { title, body, notice },
      notice ? 400 : 200,
    );

  const enter = (token: string): Answer => ({
    kind: "redirect",
    location: "/",
    headers: { "set-cookie": sessionCookie(token) },
  });

  const submit = async (
    request: RoutedRequest,
    title: string,
    body: Html,
    act: (fields: URLSearchParams) => string,
  ): Promise<Answer> => {
    const fields = await readForm(request);
    try {
      return enter(act(fields));
    } catch (error) {
      const known = error instanceof ApiError || error instanceof TokenError;
      if (!known) throw error;
      const details = error instanceof ApiError ? error.errorList : [];
      return page(title, body, { tone: "bad", text: error.message, details });
    }
  };

  const withPassword = (fields: URLSearchParams) => ({
    email: fields.get("email") ?? "",
    password: fields.get("password") ?? "",
  });

  return [
    { method: "GET", pattern: "/sign-up", handle: () => page("Create an account", signUpBody) },
    { method: "GET", pattern: "/sign-in", handle: () => page("Sign in", signInBody) },
    {
      method: "POST",
      pattern: "/sign-up",
      handle: (request) =>
        submit(request, "Create an account", signUpBody, (fields) =>
          core.stores.accounts.issueToken(signUp(dependencies, withPassword(fields))),
        ),
    },
    {
      method: "POST",
      pattern: "/sign-in",
      handle: (request) =>
        submit(request, "Sign in", signInBody, (fields) => {
          const token = fields.get("token");
          if (token === null) {
            return core.stores.accounts.issueToken(signIn(dependencies, withPassword(fields)));
          }
          if (!accountOfToken(core, consoleToken, token)) {
            throw new ApiError(401, "INVALID_JWT", "This is not the console token");
          }
          return token;
        }),
    },
    {
      method: "POST",
      pattern: "/sign-out",
      handle: async (request) => {
        await readForm(request);
        return { kind: "redirect", location: "/sign-in", headers: { "set-cookie": endSession } };
      },
    },
  ];
}
