import { useWords } from "./app-context.ts";
import type { Help } from "./customer-api.ts";

/** Whom to ask, with every way there is. Nothing until it is known. */
export function HelpLine({ help }: { help: Help | null }) {
  const words = useWords();
  if (!help) return null;
  const { shopName: shop, email, phone, phoneUrl, hours } = help;
  const key = email || phone || hours ? "help.ways" : "help.none";
  return (
    <s-stack direction="inline" gap="small">
      <s-text color="subdued">{words(key, { shop })}</s-text>
      {email && <s-link href={`mailto:${email}`}>{email}</s-link>}
      {phone && (phoneUrl ? <s-link href={phoneUrl}>{phone}</s-link> : <s-text>{phone}</s-text>)}
      {hours && <s-text color="subdued">{hours}</s-text>}
    </s-stack>
  );
}
