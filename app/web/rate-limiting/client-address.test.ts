import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress, readTrustedProxies } from "./client-address.ts";

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage;
const none = readTrustedProxies([]);
const proxies = readTrustedProxies(["10.0.0.0/8", "127.0.0.1"]);

test("believes nobody's header unless a proxy is trusted", () => {
  expect(clientAddress(from("127.0.0.1", "203.0.113.7"), none)).toBe("127.0.0.1");
  expect(clientAddress(from("203.0.113.9", "203.0.113.7"), proxies)).toBe("203.0.113.9");
});

test("takes the last address that no trusted proxy has", () => {
  const read = (header: string) => clientAddress(from("127.0.0.1", header), proxies);
  expect(read("203.0.113.7")).toBe("203.0.113.7");
  expect(read("1.2.3.4, 203.0.113.7, 10.1.2.3")).toBe("203.0.113.7");
  expect(read("made up, 203.0.113.7")).toBe("203.0.113.7");
  expect(read("203.0.113.7, made up")).toBe("127.0.0.1");
  expect(read("10.1.2.3")).toBe("10.1.2.3");
});

test("takes IPv4 in IPv6 for IPv4, and of IPv6 the network", () => {
  expect(clientAddress(from("::ffff:203.0.113.7"), none)).toBe("203.0.113.7");
  const networks = ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9", "2001:0db8:1:2::%eth0"];
  for (const address of networks)
    expect(clientAddress(from(address), none)).toBe("2001:db8:1:2::/64");
  expect(clientAddress(from("::1"), none)).toBe("0:0:0:0::/64");
});

test.each(["proxy.example", "10.0.0.0/x", ""])("refuses %j as a trusted proxy", (name) => {
  expect(() => readTrustedProxies([name])).toThrow("PATHWAY_TRUSTED_PROXIES");
});
