import { expect, test } from "vitest";
import { parseAllowedHosts, placeOf } from "./allowed-hosts.ts";

const hosts = parseAllowedHosts([
  ...["files.example", "Other.Example.", "plain.example:8080", "127.0.0.1:4010", "[::1]:4011"],
]);
const objection = (address: string) => hosts.objectionTo(new URL(address));

test.each([
  ...["https://files.example/a.pdf", "https://FILES.example./a.pdf", "https://files.example:443/"],
  ...["https://other.example/", "http://plain.example:8080/", "https://plain.example:8080/"],
  ...["http://127.0.0.1:4010/", "http://2130706433:4010/", "http://[::1]:4011/"],
  "http://[0:0:0:0:0:0:0:1]:4011/",
])("visits %s", (address) => {
  expect(objection(address)).toBeNull();
});

test.each([
  ["https://evil.example/", "host is not on the list"],
  ["https://files.example.evil.example/", "host is not on the list"],
  ["https://sub.files.example/", "host is not on the list"],
  ["https://files.example:8443/", "host is not on the list"],
  ["http://files.example/", "host is not on the list"],
  ["http://files.example:443/", "not https"],
  ["https://plain.example/", "host is not on the list"],
  ["http://plain.example/", "host is not on the list"],
  ["http://127.0.0.1/", "host is not on the list"],
  ["https://user@files.example/", "carries a user name"],
  ["https://:secret@files.example/", "carries a user name"],
  ["ftp://files.example/", "neither https nor http"],
  ["file:///etc/passwd", "neither https nor http"],
])("does not visit %s: %s", (address, why) => {
  expect(objection(address)).toBe(why);
});

test.each([
  ...["", "https://files.example", "files.example/a", "files.example ", "user@files.example"],
  ...["files.example?x", "files.example#x", "files.example:x", "files.example:99999", "a b"],
  // The list has no patterns: whoever writes one would see every PDF refused.
  ...["*.files.example", "*", ".files.example", "files.*:8443"],
])("does not take %j for a host", (entry) => {
  expect(() => parseAllowedHosts([entry])).toThrow(
    `REFERRAL_ATTACHMENT_HOSTS: "${entry}" is no host and no host:port`,
  );
});

test("names a host as the list would", () => {
  expect(placeOf(new URL("https://files.example./a"))).toBe("files.example");
  expect(placeOf(new URL("https://files.example:8443/a"))).toBe("files.example:8443");
  expect(placeOf(new URL("http://files.example/a"))).toBe("files.example:80");
  expect(placeOf(new URL("http://files.example:443/a"))).toBe("files.example");
});
