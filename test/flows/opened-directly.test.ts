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
