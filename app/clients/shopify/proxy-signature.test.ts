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
    expect(read(address({ saved: "" }))).toEqual({
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

  /** Shopify signs the values of a parameter that comes twice joined by a comma. */
  test("is not believed with a parameter that comes twice, although it is signed", () => {
    for (const [name, first, second] of [
      ["logged_in_customer_id", "7", "8"],
      ["shop", "one.myshopify.com", "two.myshopify.com"],
      ["saved", "1", "2"],
    ] as const) {
      const url = new URL(address({ [name]: `${first},${second}` }));
      url.searchParams.delete(name);
      url.searchParams.append(name, first);
      url.searchParams.append(name, second);
      expect(read(url.href)).toBeNull();
    }
  });

  /** A second reader of the address takes the first one, which nobody signed. */
  test("is not believed when a parameter stands before the one that was signed", () => {
    for (const name of ["saved", "logged_in_customer_id", "path_prefix", "timestamp"]) {
      const url = address({ saved: "" });
      expect(read(url)).not.toBeNull();
      expect(read(url.replace("?", `?${name}=8&`))).toBeNull();
    }
  });

  test("is not believed with a parameter that nobody knows, although it is signed", () => {
    for (const name of ["extra", "customer_id", "logged_in_customer_id[]", "Shop"])
      expect(read(address({ [name]: "8" }))).toBeNull();
  });

  test("is not believed when two names and values run together as another", () => {
    // "ab" + "c=d" and "a" + "bc=d" are one text without anything between them.
    const url = address({ saved: "1shop=two.myshopify.com" });
    expect(
      read(url.replace("saved=1shop%3Dtwo.myshopify.com", "saved=1&shop=two.myshopify.com")),
    ).toBeNull();
  });

  /** Shopify signs what customer 7 asks for, and a name may hold what looks like another's. */
  test("is not believed to be of another customer when a value swallows the one who is signed in", () => {
    const asked = { "logged_in_customer_id=6path_prefix": "/apps/pathwaysaved=" };
    const signed = new URL(address(asked)).searchParams;
    const swallowed = "logged_in_customer_id=7path_prefix=/apps/pathway";
    const forged = new URLSearchParams({
      ...{ shop: "one.myshopify.com", timestamp: signed.get("timestamp") ?? "" },
      ...{ logged_in_customer_id: "6", path_prefix: "/apps/pathway", saved: swallowed },
      signature: signed.get("signature") ?? "",
    });
    expect(read(`https://app.example/proxy?${forged}`)).toBeNull();
    for (const name of ["saved", "who"]) expect(read(address({ [name]: "shop=x" }))).toBeNull();
    for (const who of ["me", "somebody"]) expect(read(address({ who }))).not.toBeNull();
    for (const saved of ["", "kept", "full"]) expect(read(address({ saved }))).not.toBeNull();
    const id = "6f9619ff-8b86-4011-b42d-00c04fc96401";
    for (const name of ["use", "after"]) {
      expect(read(address({ [name]: id }))).not.toBeNull();
      for (const value of ["", "shop=x", `${id}who=me`])
        expect(read(address({ [name]: value }))).toBeNull();
    }
  });

  test.each([
    ["without a signature", "https://app.example/proxy?shop=one.myshopify.com"],
    ["signed by somebody else", address({}, "guess")],
    ["with another customer", address().replace("customer_id=7", "customer_id=8")],
    ["with another shop", address().replace("shop=one", "shop=two")],
    ["with a time that is no number", address({ timestamp: "1e9" })],
    ["with something before its time", address({ timestamp: `x${NOW.getTime() / 1000}` })],
    ["with something after its time", address({ timestamp: `${NOW.getTime() / 1000}x` })],
    ["with a time in hexadecimal", address({ timestamp: "0x6740" })],
    ["with one more parameter", `${address()}&admin=1`],
    ["with a second customer", `${address()}&logged_in_customer_id=8`],
    ["with another customer before its own", address().replace("?", "?logged_in_customer_id=8&")],
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
