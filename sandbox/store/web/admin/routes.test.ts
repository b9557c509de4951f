import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startVisit, type Visit } from "../testing/visit.ts";

let visit: Visit;
beforeEach(async () => {
  visit = await startVisit();
});
afterEach(() => visit.end());

describe("admin", () => {
  it("opens the app's page that the address names, with Shopify's parameters", async () => {
    visit.store.facts.app.url = "http://127.0.0.1:3999";
    const page = await (
      await visit.get("/admin-ui/store/example/apps/sample/app/settings?tab=2")
    ).text();
    const data = JSON.parse(/id="frame-data">(.*?)<\/script>/.exec(page)?.[1] ?? "{}");
    const source = new URL(data.source);
    expect(source.pathname).toBe("/app/settings");
    expect(Object.fromEntries(source.searchParams)).toMatchObject({
      tab: "2",
      embedded: "1",
      shop: "example.myshopify.com",
      id_token: "launch-token",
    });
  });
  it("leads from an address of the real admin to its own page", async () => {
    const answer = await fetch(`${visit.web.origin}/store/example/apps/sample/app/orders/1`, {
      redirect: "manual",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      "/admin-ui/store/example/apps/sample/app/orders/1",
    ]);
  });
  it("offers the installation first", async () => {
    visit.store.facts.app.url = "http://127.0.0.1:3999";
    visit.store.state.installed = false;
    expect(await (await visit.get("/admin-ui/store/example/apps/sample")).text()).toContain(
      "Install Sample?",
    );
    await visit.send("/admin-ui/install", {});
    expect(visit.store.state.installed).toBe(true);
  });
  it("mints tokens for its own pages only", async () => {
    const ask = (site: string) =>
      fetch(`${visit.web.origin}/admin-ui/api/session-token`, {
        method: "POST",
        headers: { "Sec-Fetch-Site": site },
      });
    expect(await (await ask("same-origin")).json()).toEqual({ token: "admin-token" });
    expect((await ask("cross-site")).status).toBe(403);
    expect((await ask("same-site")).status).toBe(403);
  });
});
