import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Places, resolveAddress } from "./addresses.ts";

const places: Places = {
  pages: { "my-tests": "/account/pages/my-tests" },
  handle: "order-tests",
  accountPath: "/account",
  adminPath: "/admin-ui/store/example",
  adminAppPath: "/admin-ui/store/example/apps/sample",
  appPublicOrigin: "https://sample.example",
  appOrigin: "http://127.0.0.1:3000",
};

beforeEach(() => {
  vi.stubGlobal("location", { href: "http://127.0.0.1:4020/account/orders/1" });
});

describe("resolveAddress", () => {
  it.each([
    ["extension:my-tests/results/1", "/account/pages/my-tests/results/1"],
    ["extension://my-tests", "/account/pages/my-tests"],
    ["extension:/", "/account/pages/my-tests"],
    ["extension:///results?x=1", "/account/pages/my-tests/results?x=1"],
    ["extension:somebody-elses/", null],
    ["shopify:customer-account/orders", "/account/orders"],
    ["shopify:customer-account/orders/gid://shopify/Order/7", "/account/orders/7"],
    ["shopify:customer-account/profile", "/account/profile"],
    ["https://shopify.com/77/account/orders/7", "/account/orders/7"],
    ["shopify://admin/orders/7", "/admin-ui/store/example/orders/7"],
    ["app:app/settings", "/admin-ui/store/example/apps/sample/app/settings"],
    ["https://sample.example/documents/1", "http://127.0.0.1:3000/documents/1"],
    ["https://elsewhere.example/x", "https://elsewhere.example/x"],
    ["javascript:alert(1)", null],
  ])("%s leads to %s", (address, target) => {
    expect(resolveAddress(address, places)).toBe(target);
  });
  it("takes an extension's own page when it has one", () => {
    const own = { ...places, handle: "my-tests" };
    expect(resolveAddress("extension:/results/2", own)).toBe("/account/pages/my-tests/results/2");
  });
});
