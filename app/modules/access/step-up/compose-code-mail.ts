import type { Mail } from "../../kernel/notification.ts";
import type { CustomerHelp } from "../../shops/customer-help.ts";
import { layOutEmail } from "../../shops/lay-out-email.ts";

/** The email with a code. It says what the code is for, and nothing of anybody's health. */
export function composeCodeMail({
  to,
  code,
  help,
}: {
  to: string;
  code: string;
  help: CustomerHelp;
}): Mail {
  return layOutEmail({
    to,
    subject: "Your code",
    about: null,
    figure: code,
    paragraphs: [
      `Enter this code to open your private page at ${help.shopName}.`,
      "The code works once, within 10 minutes, on the page that asked for it.",
      "If you did not ask for a code, somebody else may have opened your link. Don’t give the code to anybody, and please tell us.",
    ],
    action: null,
    afterwards: [],
    help,
    stop: null,
  });
}
