import type { ReactNode } from "react";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { CustomerHelp } from "../../modules/shops/customer-help.ts";
import { linkPhones } from "../../platform/link-phones.ts";
import { STYLE } from "./style.ts";

/** One page of the customer's, before it is known where it is shown. */
export interface Page {
  title: string;
  /**
   * The document's title where the page's own names a test or a person. A browser keeps it in its history, after signing out too,
   * and shows it over its tabs: families share a phone.
   */
  tab?: string;
  status: number;
  /** What was sent is refused; the document's title then says so first. */
  isError?: boolean;
  content: ReactNode;
}

/** Stands around every page. No script: everything works without. */
export function PageBody({
  title,
  help,
  leave,
  children,
}: {
  title: string;
  help: CustomerHelp;
  /** A way to end the session, where there is a session to end. */
  leave?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="pw-page">
      <a className="pw-skip" href="#pw-content">
        {words("and_here.skip")}
      </a>
      <header>{help.shopName}</header>
      <main id="pw-content">
        <h1>{title}</h1>
        {children}
      </main>
      <footer>
        <Help help={help} />
        {leave}
      </footer>
    </div>
  );
}

/** The page as a part of somebody else's, which has its own header, landmarks and ways around. */
export function PagePart({
  title,
  help,
  children,
}: {
  title: string;
  help: CustomerHelp;
  children: ReactNode;
}) {
  return (
    <div className="pw-page">
      <h1>{title}</h1>
      {children}
      <Help help={help} />
    </div>
  );
}

/** A text in which a tap rings each of these numbers. */
export const LinkedPhones = ({ children, phones }: { children: string; phones: string[] }) =>
  linkPhones(children, phones).map(({ text, href }) =>
    href ? (
      <a key={text} href={href}>
        {text}
      </a>
    ) : (
      text
    ),
  );

/** Whom to ask, with every way there is. */
function Help({ help: { shopName, email, phone, hours } }: { help: CustomerHelp }) {
  const ways = [
    email && (
      <a key="email" href={`mailto:${email}`}>
        {email}
      </a>
    ),
    phone && (
      <LinkedPhones key="phone" phones={[phone]}>
        {phone}
      </LinkedPhones>
    ),
    hours,
  ].filter(Boolean);
  return (
    <p className="pw-ask">
      {words(ways.length > 0 ? "and_here.help_ways" : "and_here.help", { shop: shopName })}{" "}
      {ways.flatMap((way, index) => (index > 0 ? [" · ", way] : [way]))}
    </p>
  );
}

/** A page of our own, as against one inside a theme. */
export function PageDocument({
  title,
  shopName,
  children,
}: {
  title: string;
  shopName: string;
  children: ReactNode;
}) {
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex,nofollow" />
        <title>{`${title} · ${shopName}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, named by its hash in the policy */}
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body className="pw-body">{children}</body>
    </html>
  );
}

/** Says something that is neither a form nor a list. */
export function Notice({
  heading,
  bad = false,
  focused = false,
  children,
}: {
  heading: string;
  bad?: boolean;
  /** The page opens with the focus here. */
  focused?: boolean;
  children?: ReactNode;
}) {
  return (
    <section
      className={bad ? "pw-notice pw-bad" : "pw-notice"}
      role={bad ? "alert" : "status"}
      // The page has no script: the browser moves the focus. It is read first, and lies before the fields.
      {...(focused ? { tabIndex: -1, autoFocus: true } : {})}
    >
      <h2>{heading}</h2>
      {children}
    </section>
  );
}
