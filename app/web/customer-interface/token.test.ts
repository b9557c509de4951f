import { expect, test } from "vitest";
import { shopDomain } from "../../modules/kernel/ids.ts";
import { readLinkAddress, readToken, withoutSecrets, writeToken } from "./token.ts";

const shop = shopDomain("one.myshopify.com");
if (!shop) throw new Error("no shop");
const secret = "aB3-_xY9".repeat(6).slice(0, 43);

test("a token is read as it was written", () => {
  expect(readToken(writeToken(shop, secret))).toEqual({ shop, token: secret });
});

test.each([
  undefined,
  "",
  secret,
  `one${secret}`,
  `.${secret}`,
  `one.${secret.slice(1)}`,
  `one.${secret}x`,
  `one.${secret}!`,
  `two.one.${secret}`,
  `-one.${secret}`,
  `ONE.${secret}`,
  `${"o".repeat(61)}.${secret}`,
])("%j is no token", (text) => {
  expect(readToken(text)).toBeNull();
});

const LINK_ID = "6f9619ff-8b86-4011-b42d-00c04fc964ff";

test("the place of a visit is read with its shop", () => {
  expect(readLinkAddress(`one.${LINK_ID}`)).toEqual({ shop, linkId: LINK_ID });
});

test.each([
  undefined,
  "",
  LINK_ID,
  `.${LINK_ID}`,
  `one.${LINK_ID.slice(1)}`,
  `one.${LINK_ID}0`,
  `one.${LINK_ID.toUpperCase()}`,
  `two.one.${LINK_ID}`,
  `-one.${LINK_ID}`,
  `${"o".repeat(61)}.${LINK_ID}`,
  `one.${"-".repeat(36)}`,
])("%j is no place", (text) => {
  expect(readLinkAddress(text)).toBeNull();
});

test.each(["t", "stop", "documents"])(
  "a path of /%s is written down without its secret",
  (page) => {
    const token = writeToken(shop, secret);
    const written = [
      `/${page}/${token}`,
      `/${page}/${token.replace(".", "%2E")}/`,
      // As a program writes it that encodes every sign but letters and digits.
      `/${page}/${token.replaceAll("-", "%2D").replaceAll("_", "%5F")}`,
    ].map(withoutSecrets);
    for (const path of written) {
      expect(decodeURIComponent(path.replace("%…", "…"))).not.toContain(secret.slice(3));
      expect(path).toContain(`/${page}/one`);
    }
  },
);

test("a secret leaves a mark where it was", () => {
  expect(withoutSecrets(`/t/one.${secret}/form`)).toBe("/t/one.…/form");
});

test("what is too short for a secret stays, also before half of a sign's number", () => {
  const path = `/t/${"a".repeat(42)}%2/x`;
  expect(withoutSecrets(path)).toBe(path);
});

test("ids stay", () => {
  const path =
    "/visit/one.6f9619ff-8b86-d011-b42d-00c04fc964ff/results/6f9619ff-8b86-d011-b42d-00c04fc964ff";
  expect(withoutSecrets(path)).toBe(path);
});
