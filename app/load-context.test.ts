import { expect, test } from "vitest";
import type { App } from "./composition.server.ts";
import { createLoadContext } from "./load-context.ts";

/** A token in Shopify's form: the library, which would check it, is not asked here. */
const STORE = "https://one.myshopify.com";
const CLAIMS = { sub: "1", dest: STORE, iss: `${STORE}/admin`, aud: "app", exp: 2_000_000_000 };
const TOKEN = ["{}", JSON.stringify(CLAIMS), "signature"]
  .map((part) => Buffer.from(part).toString("base64url"))
  .join(".");

test("tells the operator when a page is not shown because Shopify exchanges no token", async () => {
  const lines: unknown[][] = [];
  const refused = async (): Promise<never> => {
    throw new Response(null, { status: 500 });
  };
  const app = {
    env: {},
    logger: { warn: (...line: unknown[]) => lines.push(line) },
    shopify: { app: async () => ({ authenticate: { admin: refused } }) },
    refusals: { note: () => {} },
  } as unknown as App;
  const request = new Request("https://pathway.example/app", {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const answer = createLoadContext(app).merchant(request);
  await expect(answer).rejects.toMatchObject({ status: 503 });
  expect(lines).toEqual([
    [
      { shop: "one.myshopify.com", status: 500 },
      "a page could not be shown: Shopify exchanges no token",
    ],
  ]);
});
