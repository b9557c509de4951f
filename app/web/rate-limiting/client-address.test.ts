import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress, isForwarded, readTrustedProxies } from "./client-address.ts";

const from = (remoteAddress: string | undefined, forwarded?: string) =>
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

test("finds the network of an address however it is shortened", () => {
  const network = (address: string) => clientAddress(from(address), none);
  expect(network("1::2:3:4:5:6:7")).toBe("1:0:2:3::/64");
  expect(network("::2:3:4:5:6:7:8")).toBe("0:2:3:4::/64");
  expect(network("1:2:3:4:5:6:7::")).toBe("1:2:3:4::/64");
  expect(network("64:ff9b::ffff:1.2.3.4")).toBe("64:ff9b:0:0::/64");
  expect(network("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
});

test("trusts proxies by IPv6 as well, and every address of a range", () => {
  const ours = readTrustedProxies(["2001:db8::/32", "::1", "192.0.2.7/32", "fd00::1/128"]);
  for (const proxy of ["2001:db8:ffff::1", "::1", "192.0.2.7", "fd00::1"])
    expect(clientAddress(from(proxy, "203.0.113.7"), ours)).toBe("203.0.113.7");
  for (const stranger of ["2001:db9::1", "::2", "192.0.2.8", "fd00::2"])
    expect(clientAddress(from(stranger, "203.0.113.7"), ours)).not.toBe("203.0.113.7");
  expect(clientAddress(from("8.8.8.8", "203.0.113.7"), readTrustedProxies(["0.0.0.0/0"]))).toBe(
    "203.0.113.7",
  );
});

test("knows no address of a connection that is closed", () => {
  expect(() => clientAddress(from(undefined, "203.0.113.7"), proxies)).not.toThrow();
  expect(clientAddress(from(undefined, "203.0.113.7"), proxies)).not.toBe("203.0.113.7");
});

test("tells a request through a proxy whose word is not believed", () => {
  expect(isForwarded(from("203.0.113.9", "203.0.113.7"), proxies)).toBe(true);
  expect(isForwarded(from("127.0.0.1", "203.0.113.7"), none)).toBe(true);
  expect(isForwarded(from("203.0.113.9"), proxies)).toBe(false);
  expect(isForwarded(from("127.0.0.1", "203.0.113.7"), proxies)).toBe(false);
  expect(isForwarded(from("::ffff:127.0.0.1", "203.0.113.7"), proxies)).toBe(false);
  expect(isForwarded(from(undefined, "203.0.113.7"), proxies)).toBe(true);
});

test.each([
  ...["proxy.example", "10.0.0.0/x", "", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8.5"],
  ...["::1/129", "::1/", "::1/-1"],
])("refuses %j as a trusted proxy", (name) => {
  expect(() => readTrustedProxies([name])).toThrow("PATHWAY_TRUSTED_PROXIES");
});
