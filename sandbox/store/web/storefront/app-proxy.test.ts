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
        const bare = request.url?.includes("bare") ? "{% layout none %}" : "";
        response.end(
          `${bare}At {{ shop.name }}{% if customer %} for {{ customer.email }}{% endif %}`,
        );
      });
    });
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    try {
      const address = app.address();
      if (address === null || typeof address === "string") throw new Error("No port");
      visit.store.facts.app.url = `http://127.0.0.1:${address.port}`;
      const Cookie = await visit.signIn();
      const response = await visit.send("/apps/sample/patient?a=1&a=2", { name: "x" }, { Cookie });
      expect(await response.text()).toContain("At {{ shop.name }}");
      expect(response.headers.getSetCookie()).toEqual([]);
      const url = new URL(seen[0]?.url ?? "", "http://app");
      expect(url.pathname).toBe("/proxy/patient");
      expect(url.searchParams.getAll("a")).toEqual(["1", "2"]);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        shop: "example.myshopify.com",
        logged_in_customer_id: "1",
        path_prefix: "/apps/sample",
        signature: "signed:a,logged_in_customer_id,path_prefix,shop,timestamp",
      });
      expect(seen[0]).toMatchObject({ cookie: undefined, body: "name=x" });
      const inTheme = await (await visit.get("/apps/sample/liquid")).text();
      expect(inTheme).toContain("At Example Pathology");
      expect(inTheme).toContain('class="store-header"');
      expect(inTheme).not.toContain("for ann@example.com");
      const bare = await visit.get("/apps/sample/liquid?bare=1", { Cookie });
      expect(await bare.text()).toBe("At Example Pathology for ann@example.com");
      await visit.get("/apps/sample/forged?shop=evil&logged_in_customer_id=9&signature=x");
      const forged = new URL(seen.at(-1)?.url ?? "", "http://app").searchParams;
      expect(forged.getAll("shop")).toEqual(["example.myshopify.com"]);
      expect(forged.getAll("logged_in_customer_id")).toEqual([""]);
      expect(forged.getAll("signature")).toHaveLength(1);
      expect(
        new URL(seen[1]?.url ?? "", "http://app").searchParams.get("logged_in_customer_id"),
      ).toBe("");
    } finally {
      app.close();
    }
  });
});
