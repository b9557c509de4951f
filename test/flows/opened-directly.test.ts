import { expect, test } from "vitest";
import { shareWorld } from "../harness/index.ts";

const world = await shareWorld();

test.each([
  ["/"],
  ["/app"],
  ["/app/settings?section=x"],
  ["/auth/login"],
  ["/auth/login?shop=anybody.myshopify.com"],
  ["/auth/callback"],
  ["/auth/callback?code=1&shop=x&state=2&hmac=3"],
  ["/auth/whatever"],
  // Nothing of Pathway's leads out of the frame by it, and it would lead wherever its address says.
  ["/auth/exit-iframe?shop=pathway-demo.myshopify.com&exitIframe=https%3A%2F%2Fevil.example"],
  // The page that fetches a session token is for a shop's admin, and for nobody else's frame.
  ["/auth/session-token?shop=evil.example"],
  ["/auth/session-token?shop=a.myshopify.com%3B%20script-src%20*"],
  ["/auth/session-token?shop=a%0D%0AX-Mine%3A%201"],
  // It would take the token to where its address says.
  ...["https://evil.example/app", "//evil.example", "\\\\evil.example", "javascript:alert(1)"].map(
    (address): [string] => [
      `/auth/session-token?shop=a.myshopify.com&shopify-reload=${encodeURIComponent(address)}`,
    ],
  ),
  [
    "/auth/session-token?shop=a.myshopify.com&shopify-reload=%2Fapp&shopify-reload=%2F%2Fevil.example",
  ],
])("%s, opened directly, says how to install the app", async (path) => {
  for (const agent of ["Mozilla/5.0 (X11; Linux x64) Chrome/143.0.0.0", "curl/8.5.0"]) {
    const answer = await fetch(`${world.line.app_url}${path}`, {
      headers: { "user-agent": agent },
    });
    expect([agent, answer.status]).toEqual([agent, 200]);
    const text = await answer.text();
    expect(text).toContain("To install it, open its page in the Shopify App Store");
    expect(text).not.toMatch(/<(script|form|input)/);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  }
});

test("an address under /app with a shop that is none leads to the same page", async () => {
  const answer = await fetch(`${world.line.app_url}/app?shop=evil.example`, {
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x64) Chrome/143.0.0.0" },
  });
  expect(await answer.text()).toContain("To install it");
});

test("the page that fetches a session token is framed by its shop's admin alone", async () => {
  const { shop } = world.line.store;
  const policyOf = async (query: string) => {
    const answer = await fetch(`${world.line.app_url}/auth/session-token?${query}`, {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x64) Chrome/143.0.0.0" },
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("app-bridge.js");
    return answer.headers.get("content-security-policy")?.split("; ") ?? [];
  };
  const policy = await policyOf(`shop=${shop}`);
  const admin = new URL(world.line.store.admin_url).origin;
  expect(policy).toContain(`frame-ancestors https://${shop} ${admin}`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy.find((one) => one.startsWith("script-src"))).not.toMatch(/\*|nonce/);
  const reload = encodeURIComponent(`${world.line.app_url}/app?shop=${shop}`);
  expect(await policyOf(`shop=${shop}&shopify-reload=${reload}`)).toEqual(policy);
  // A shop may come twice: the one that was looked at counts.
  expect(await policyOf(`shop=${shop}&shop=evil.example`)).toEqual(policy);
});
