import { createHash } from "node:crypto";

const STYLE =
  "body{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1f2328;background:#fff;max-width:40rem;margin:4rem auto;padding:0 1rem}h1{font-size:1.6rem;line-height:1.25}";
const STYLE_HASH = `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;

const POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const DOCUMENT = `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pathway</title><style>${STYLE}</style></head>
<body>
<main>
<h1>Pathway opens in the Shopify admin</h1>
<p>Pathway lets Australian merchants sell pathology tests.</p>
<p>To open it, sign in to your Shopify admin and choose <strong>Apps</strong>, then <strong>Pathway</strong>.</p>
<p>To install it, open its page in the Shopify App Store, or the install link that you were sent, and choose <strong>Install</strong>.</p>
<p>Are you a customer of a store? Your tests are in your account there, and in the emails about your order.</p>
</main>
</body>
</html>
`;

/** Answers whoever opens an address of the app directly, outside of the Shopify admin. It asks for no store's name. */
export const installPage = (): Response =>
  new Response(DOCUMENT, {
    headers: {
      "Cache-Control": "no-store",
      "Content-Security-Policy": POLICY,
      "Content-Type": "text/html; charset=utf-8",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
  });
