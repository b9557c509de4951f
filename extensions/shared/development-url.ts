/** Replaced as a text by Shopify's command line while it builds; nothing of the kind exists where extensions run. */
declare const process: { env: { APP_URL?: string } };

/** The address of the tunnel that `shopify app dev` opened, without a trailing slash; undefined in any other build. */
export function developmentUrl(): string | undefined {
  try {
    return process.env.APP_URL?.replace(/\/$/, "");
  } catch {
    // Nothing was replaced: this is no build of `shopify app dev`.
    return undefined;
  }
}
