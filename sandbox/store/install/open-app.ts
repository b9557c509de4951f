import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import type { ShopDocument } from "../state/shop.ts";
import { completeInstall } from "./install.ts";
import { launchQuery } from "./launch.ts";

const browser =
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const timeoutMs = 60_000;

export interface OpenedApp {
  /** Status of the app's page. */
  status: number;
  /** Whether the app has fetched a token, so that it can work without anybody looking. */
  hasToken: boolean;
}

/**
 * Acts as a merchant who installs the app and opens it in the admin: Shopify's managed installation grants the scopes,
 * then the frame loads the app's first page with an id token. A redirect within the app is followed as a browser would.
 */
export async function openApp(platform: Platform, shop: ShopDocument): Promise<OpenedApp> {
  if (platform.appUrl === null) {
    throw new Refusal(409, "the store does not know the app's URL: start it with --app-url");
  }
  completeInstall(platform, shop);
  let url = new URL(`${platform.appUrl}${platform.config.homePath}`);
  url.search = new URLSearchParams(await launchQuery(platform, shop)).toString();
  for (let hop = 0; hop < 5; hop += 1) {
    const response = await load(url);
    await response.arrayBuffer();
    const location = response.headers.get("location");
    const next = location === null ? undefined : new URL(location, url);
    if (response.status < 300 || response.status > 399 || next?.origin !== url.origin) {
      return { status: response.status, hasToken: hasToken(platform, shop) };
    }
    url = next;
  }
  throw new Refusal(424, "the app redirects without end");
}

async function load(url: URL): Promise<Response> {
  try {
    return await fetch(url, {
      redirect: "manual",
      headers: { "User-Agent": browser, Accept: "text/html", "Sec-Fetch-Dest": "iframe" },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Refusal(
      424,
      `the app did not answer: ${reason instanceof Error ? reason.message : reason}`,
    );
  }
}

const hasToken = (platform: Platform, shop: ShopDocument): boolean =>
  platform.data.tokens.all().some((token) => token.shop === shop.id);
