import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startVisit, type Visit } from "../testing/visit.ts";

let visit: Visit;
beforeEach(async () => {
  visit = await startVisit();
});
afterEach(() => visit.end());

describe("inbox and deliveries", () => {
  it("shows mails with their links, and HTML without its scripts' power", async () => {
    await visit.send("/account/login", { email: "ann@example.com" });
    expect(await (await visit.get("/sandbox/mail")).text()).toContain("Your code");
    const page = await (await visit.get("/sandbox/mail/1")).text();
    expect(page).toContain('<a href="https://example.com/help">https://example.com/help</a>.');
    const [mail] = visit.store.state.mails;
    if (mail) mail.html = "<script>alert(1)</script><p>Hi</p>";
    const frame = await visit.get("/sandbox/mail/1/html");
    expect(frame.headers.get("Content-Security-Policy")).toMatch(
      /default-src 'none'.*sandbox allow-popups/,
    );
  });
  it("shows a delivery and sends it again", async () => {
    visit.store.state.deliveries.push({
      id: "d1",
      topic: "orders/paid",
      url: "http://app/webhooks",
      status: 503,
      nextAttemptAt: "2026-11-20T10:01:00Z",
      attempts: [{ at: "2026-11-20T10:00:00Z", status: 503, ms: 12.4, error: null }],
      triggeredAt: "2026-11-20T10:00:00Z",
      headers: { "X-Shopify-Topic": "orders/paid" },
      payload: '{"id":1}',
    });
    expect(await (await visit.get("/sandbox/webhooks")).text()).toContain("Will retry");
    await visit.send("/sandbox/webhooks/d1/redeliver", {});
    const page = await (await visit.get("/sandbox/webhooks/d1")).text();
    expect(page).toContain("2 attempts");
    expect(page).toContain("&quot;id&quot;: 1");
  });
});
