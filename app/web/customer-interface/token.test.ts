import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { shopDomain } from "../../modules/kernel/ids.ts";
import { readToken, withoutSecrets, writeToken } from "./token.ts";

const shop = shopDomain("one.myshopify.com");
if (!shop) throw new Error("no shop");
const secret = randomBytes(32).toString("base64url");

test("a token is read as it was written", () => {
  expect(readToken(writeToken(shop, secret))).toEqual({ shop, token: secret });
});

test.each(["t", "stop", "documents"])(
  "a path of /%s is written down without its secret",
  (page) => {
    const token = writeToken(shop, secret);
    const written = [`/${page}/${token}`, `/${page}/${token.replace(".", "%2E")}/`].map(
      withoutSecrets,
    );
    for (const path of written) {
      expect(path).not.toContain(secret.slice(3));
      expect(path).toContain(`/${page}/one`);
    }
  },
);

test("ids stay", () => {
  const path =
    "/visit/one.6f9619ff-8b86-d011-b42d-00c04fc964ff/results/6f9619ff-8b86-d011-b42d-00c04fc964ff";
  expect(withoutSecrets(path)).toBe(path);
});
