import { useNonce } from "./nonce.ts";

/**
 * A page that Shopify's library made to fetch a session token or to leave the frame. Its own `boundary.error`
 * does the same, but would bring the library's server part to the browser.
 */
export function PlatformAnswer({ html }: { html: string }) {
  const nonce = useNonce();
  // The library's own scripts run here, and nothing that it quotes is one.
  const ours = html.replace(/<script(?=[\s>])/g, `<script nonce="${nonce}"`);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: written by Shopify's library, which escapes what it quotes.
  return <div dangerouslySetInnerHTML={{ __html: ours }} />;
}
