import { ONE_CALL_EACH, UnexpectedAnswer } from "./http.ts";
import type { SigningScheme } from "./service-console.ts";

/** The app turns away what does not look like a person's browser. */
const BROWSER =
  "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
const TIMEOUT_MS = 90_000;

export type ConnectionEnvironment = "staging" | "production";

export interface ConnectionSettings {
  environment: ConnectionEnvironment;
  clientId: string;
  clientSecret: string;
  signingScheme: SigningScheme;
  signingSecret: string;
  signingHeader?: string;
}

/** A variant's meaning, as the mapping page takes it. */
export interface MappingForm {
  productId: string;
  variantId: string;
  /** The whole product’s mapping instead of the variant’s own. */
  scope?: "variant" | "product";
  kind: "order" | "ignored";
  bundleId?: string;
  tests?: readonly string[];
  medicareTests?: readonly string[];
  practitionerName?: string;
  practitionerAddress?: string;
  practitionerProviderNumber?: string;
  clinicalNotes?: string;
  preparation?: string;
}

/**
 * The app's embedded pages as a member of the shop's staff uses them: real pages and real form posts.
 * `mintToken` is asked before every call, since admin session tokens live for one minute.
 */
export function createAppPages(appUrl: string, mintToken: () => Promise<string>) {
  const request = async (path: string, form?: Record<string, string>): Promise<string> => {
    const method = form === undefined ? "GET" : "POST";
    const response = await fetch(`${appUrl}${path}`, {
      method,
      headers: {
        ...ONE_CALL_EACH,
        accept: "text/html",
        authorization: `Bearer ${await mintToken()}`,
        "user-agent": BROWSER,
      },
      body: form === undefined ? undefined : new URLSearchParams(form),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const leadsBackIntoTheApp =
      response.status >= 300 &&
      response.status < 400 &&
      new URL(response.headers.get("location") ?? "/", appUrl).pathname.startsWith("/app");
    if (!response.ok && !leadsBackIntoTheApp)
      throw new UnexpectedAnswer(`${method} ${path}`, response.status, wordsOf(text));
    return text;
  };
  return {
    open: (path: string) => request(path),
    submit: (path: string, form: Record<string, string>) => request(path, form),
    saveConnection: (settings: ConnectionSettings) =>
      request("/app/settings", { intent: "save-connection", ...settings }),
    testConnection: (environment: ConnectionEnvironment) =>
      request("/app/settings", { intent: "test-connection", environment }),
    /** Where the service is to send its events, as the settings page shows it. */
    webhookAddress: async (environment: ConnectionEnvironment): Promise<string> => {
      const page = await request("/app/settings");
      const address = valueOfInput(page, `webhook-address-${environment}`);
      if (address === null || !URL.canParse(address))
        throw new Error(`/app/settings shows no webhook address for ${environment}`);
      return address;
    },
    saveMapping: ({ tests, medicareTests, ...mapping }: MappingForm) =>
      request("/app/mappings", {
        intent: "save",
        ...mapping,
        ...(tests === undefined ? {} : { tests: tests.join(",") }),
        ...(medicareTests === undefined ? {} : { medicareTests: medicareTests.join(",") }),
      }),
  };
}

/** The value of the input with this id, or null when the page has none. */
export function valueOfInput(page: string, id: string): string | null {
  for (const [tag] of page.matchAll(/<input\b[^>]*>/g)) {
    const attributes = new Map(
      [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
    );
    if (attributes.get("id") === id) return decodeEntities(attributes.get("value") ?? "");
  }
  return null;
}

function decodeEntities(text: string): string {
  const named: Record<string, string> = { amp: "&", quot: '"', lt: "<", gt: ">", apos: "'" };
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return named[name] ?? entity;
  });
}

/** A page without its markup, so that a refusal can be read. */
function wordsOf(page: string): string {
  return page
    .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
