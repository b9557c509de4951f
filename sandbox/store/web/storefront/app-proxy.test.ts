import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startVisit, type Visit } from "../testing/visit.ts";

let visit: Visit;
beforeEach(async () => {
  visit = await startVisit();
});
afterEach(() => visit.end());

describe("app proxy", () => {
  it("hands requests on with Shopify's parameters, a signature and no cookies", async () => {
    const seen: { url: string; cookie: string | undefined; body: string }[] = [];
    const app = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        seen.push({ url: request.url ?? "", cookie: request.headers.cookie, body });
        response.setHeader(
          "Content-Type",
          request.url?.includes("liquid") ? "application/liquid" : "text/plain",
        );
        response.setHeader("Set-Cookie", "a=b");
        response.end("At {{ shop.name }}");
      });
    });
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    try {
      const address = app.address();
      if (address === null || typeof address === "string") throw new Error("No port");
      visit.store.facts.app.url = `http://127.0.0.1:${address.port}`;
      const Cookie = await visit.signIn();
      const response = await visit.send("/apps/sample/patient?a=1&a=2", { name: "x" }, { Cookie });
      expect(await response.text()).toBe("At {{ shop.name }}");
      expect(response.headers.getSetCookie()).toEqual([]);
      const url = new URL(seen[0]?.url ?? "", "http://app");
      expect(url.pathname).toBe("/proxy/patient");
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        a: "1,2",
        shop: "example.myshopify.com",
        logged_in_customer_id: "1",
        path_prefix: "/apps/sample",
        signature: "signed:a,logged_in_customer_id,path_prefix,shop,timestamp",
      });
      expect(seen[0]).toMatchObject({ cookie: undefined, body: "name=x" });
      expect(await (await visit.get("/apps/sample/liquid")).text()).toContain(
        "At Example Pathology",
      );
      expect(
        new URL(seen[1]?.url ?? "", "http://app").searchParams.get("logged_in_customer_id"),
      ).toBe("");
    } finally {
      app.close();
    }
  });
});
