import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startVisit, type Visit } from "./testing/visit.ts";

let visit: Visit;
beforeEach(async () => {
  visit = await startVisit();
});
afterEach(() => visit.end());

describe("paths", () => {
  it("leaves other paths to the store", async () => {
    for (const path of [
      "/admin/api/2026-07/graphql.json",
      "/control/orders",
      "/admin",
      "/favicon.ico",
    ]) {
      expect((await visit.get(path)).status).toBe(418);
    }
  });
  it.each(["/products/none", "/account/nowhere", "/admin-ui/store/example/orders/1"])(
    "answers %s with a page of its own",
    async (path) => {
      const response = await visit.get(path, { Cookie: await visit.signIn() });
      expect(response.status).toBe(404);
      expect(await response.text()).toContain("<h1>");
    },
  );
  it("lets nothing be loaded from elsewhere", async () => {
    const policy = (await visit.get("/")).headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("https:");
  });
});
