import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeExtension } from "../testing/sample-extension.ts";
import { startVisit, type Visit } from "../testing/visit.ts";

let visit: Visit;
beforeEach(async () => {
  visit = await startVisit();
});
afterEach(() => visit.end());

describe("extensions", () => {
  const target = "customer-account.order-status.block.render";

  it("hosts what is built, and says how to build what is not", async () => {
    await writeExtension(visit.extensionsDir, {
      handle: "block",
      target,
      source: "export default () => {}",
    });
    await visit.buy();
    const Cookie = await visit.signIn();
    const page = await (await visit.get("/account/orders/1001", { Cookie })).text();
    const json = /id="extension-0">(.*?)<\/script>/.exec(page)?.[1] ?? "{}";
    expect(JSON.parse(json)).toMatchObject({
      description: {
        target,
        scriptUrl: "/web-assets/extensions/block.js",
        data: { signals: { order: { name: "#1001" }, authenticationState: "fully_authenticated" } },
      },
    });
    expect((await visit.get("/web-assets/extensions/block.js")).status).toBe(200);
    await rm(join(visit.extensionsDir, "block/dist"), { recursive: true });
    expect(await (await visit.get("/account/orders/1001", { Cookie })).text()).toContain(
      "npm run build",
    );
  });
  it("tells a reader of the status link nothing personal", async () => {
    await writeExtension(visit.extensionsDir, {
      handle: "block",
      target,
      source: "export default () => {}",
    });
    await visit.buy();
    const page = await (await visit.get("/account/orders/1001?key=key-of-1001")).text();
    const data = JSON.parse(/id="extension-0">(.*?)<\/script>/.exec(page)?.[1] ?? "{}");
    expect(data.description.data.signals.authenticationState).toBe("pre_authenticated");
    expect(JSON.stringify(data.description.data)).not.toContain("ann@example.com");
    expect(JSON.stringify(data.description.data)).not.toContain("High St");
  });
  it("hosts none while the app is not installed or accounts are legacy", async () => {
    await writeExtension(visit.extensionsDir, {
      handle: "block",
      target,
      source: "export default () => {}",
    });
    await visit.buy();
    const Cookie = await visit.signIn();
    const shown = async () =>
      (await (await visit.get("/account/orders/1001", { Cookie })).text()).includes(
        "data-extension",
      );
    expect(await shown()).toBe(true);
    visit.store.state.installed = false;
    expect(await shown()).toBe(false);
    visit.store.state.installed = true;
    visit.store.state.accounts = "legacy";
    expect(await shown()).toBe(false);
  });
});
