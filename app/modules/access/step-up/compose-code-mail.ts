import { escapeHtml } from "../../../platform/escape-html.ts";
import type { Mail } from "../../kernel/notification.ts";

/** The mail with a code. It says what the code is for, and nothing of anybody's health. */
export function composeCodeMail({
  to,
  code,
  shopName,
}: {
  to: string;
  code: string;
  shopName: string | null;
}): Mail {
  const from = shopName ?? "our store";
  const lines = [
    `Enter this code to open your private page at ${from}.`,
    "The code works once, within 10 minutes, on the page that asked for it.",
    "If you did not ask for a code, somebody else may have opened your link. Give the code to nobody, and tell the shop.",
  ];
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`);
  return {
    to,
    subject: "Your code",
    text: [`Your code: ${code}`, "", ...lines, "", from, ""].join("\n"),
    html: `<!doctype html>
<html lang="en-AU"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your code</title></head>
<body style="margin:0;padding:24px;background:#f5f5f5;color:#1f2328;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">
<p style="margin:0 0 16px;font-weight:600">${escapeHtml(from)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">Your code</h1>
<p style="margin:0 0 16px;font-size:28px;letter-spacing:4px;font-weight:600">${code}</p>
${paragraphs.join("\n")}
</div>
</body></html>`,
    fromName: shopName,
    unsubscribeUrl: null,
  };
}
