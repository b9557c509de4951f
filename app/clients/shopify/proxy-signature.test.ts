import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { proxyFormToken, readProxyCall } from "./proxy-signature.ts";

const SECRET = "shhh";
const NOW = new Date("2026-11-20T00:00:00Z");

/** An address as Shopify's proxy calls it. */
function address(parameters: Record<string, string> = {}, secret = SECRET): string {
  const all: Record<string, string> = {
    shop: "one.myshopify.com",
    logged_in_customer_id: "7",
    path_prefix: "/apps/pathway",
    timestamp: String(NOW.getTime() / 1000),
    ...parameters,
  };
  const message = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
    .join("");
  const signature = createHmac("sha256", secret).update(message).digest("hex");
  return `https://app.example/proxy?${new URLSearchParams({ ...all, signature })}`;
}

const read = (url: string, secrets = [SECRET]) => readProxyCall(url, { secrets, now: NOW });

describe("a call through the shop's proxy", () => {
  test("is read with its shop, its customer and its place", () => {
    expect(read(address({ extra: "a,b" }))).toEqual({
      shop: "one.myshopify.com",
      customerId: "gid://shopify/Customer/7",
      prefix: "/apps/pathway",
    });
    expect(read(address({ logged_in_customer_id: "" }))?.customerId).toBeNull();
    expect(read(address({}, "former"), [SECRET, "former"])).not.toBeNull();
  });

  test("is believed for a minute and a half, ahead or behind", () => {
    const at = (seconds: number) => address({ timestamp: String(NOW.getTime() / 1000 + seconds) });
    for (const seconds of [-90, 90]) expect(read(at(seconds))).not.toBeNull();
    for (const seconds of [-91, 91]) expect(read(at(seconds))).toBeNull();
  });

  test("is read with a parameter that comes twice", () => {
    const url = address({ ids: "1,2" }).replace("ids=1%2C2", "ids=1&ids=2");
    expect(new URL(url).searchParams.getAll("ids")).toEqual(["1", "2"]);
    expect(read(url)).not.toBeNull();
  });

  test.each([
    ["without a signature", "https://app.example/proxy?shop=one.myshopify.com"],
    ["signed by somebody else", address({}, "guess")],
    ["with another customer", address().replace("customer_id=7", "customer_id=8")],
    ["with another shop", address().replace("shop=one", "shop=two")],
    ["with one more parameter", `${address()}&admin=1`],
    ["with a second customer", `${address()}&logged_in_customer_id=8`],
    ["with a signature that is a prefix", address().replace(/signature=.{10}/, "signature=")],
    ["for what is no shop", address({ shop: "evil.example" })],
    ["for what is no customer", address({ logged_in_customer_id: "7 OR 1=1" })],
    ["to a place that is no path", address({ path_prefix: "//evil.example" })],
    ["to a place that begins elsewhere", address({ path_prefix: "evil.example/apps" })],
    ["to a place that goes on", address({ path_prefix: "/apps/pathway?next" })],
    ["from long ago", address({ timestamp: String(NOW.getTime() / 1000 - 91) })],
  ])("is not believed %s", (_, url) => {
    expect(read(url)).toBeNull();
  });
});

test("a form's token is good for one customer of one shop", () => {
  const tokens = (["one", "two"] as const).flatMap((name) =>
    ([7, 8] as const).map((id) =>
      proxyFormToken(SECRET, {
        shop: `${name}.myshopify.com`,
        customerId: `gid://shopify/Customer/${id}`,
      }),
    ),
  );
  expect(new Set(tokens).size).toBe(4);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
});
