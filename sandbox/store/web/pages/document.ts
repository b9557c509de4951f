import { type Html, html } from "../html.ts";

export interface DocumentInput {
  title: string;
  /** Style sheets of `styles/`, without their ending; `base` always comes first. */
  styles: readonly string[];
  /** Class of the body. */
  theme: string;
  body: Html;
  /** Scripts of the page, by their path. */
  scripts?: readonly string[];
}

/** The whole HTML document around a page's body. */
export function htmlDocument(input: DocumentInput): Html {
  const styles = ["base", ...input.styles];
  return html`<!doctype html>
<html lang="en-AU">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${input.title}</title>
    <link rel="icon" href="/web-assets/icon.svg" type="image/svg+xml" />
    ${styles.map((name) => html`<link rel="stylesheet" href="/web-assets/styles/${name}.css" />`)}
  </head>
  <body class="${input.theme}">
    ${input.body}
    ${(input.scripts ?? []).map((source) => html`<script src="${source}"></script>`)}
  </body>
</html>`;
}

/** The link by which keyboards jump over the navigation to `#content`. */
export const skipLink = html`<a class="skip-link" href="#content">Skip to content</a>`;
