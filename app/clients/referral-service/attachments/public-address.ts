import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 outside the public internet (IANA special-purpose registry, multicast, reserved). */
const NOT_PUBLIC_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local, cloud metadata services among them.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Parts of the global IPv6 space (2000::/3) that are none, or that wrap an IPv4 address. */
const NOT_PUBLIC_IPV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const notPublicIpv4 = new BlockList();
for (const [net, bits] of NOT_PUBLIC_IPV4) notPublicIpv4.addSubnet(net, bits, "ipv4");
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
const notPublicIpv6 = new BlockList();
for (const [net, bits] of NOT_PUBLIC_IPV6) notPublicIpv6.addSubnet(net, bits, "ipv6");

/**
 * Whether an address belongs to the public internet. For IPv6 that is what lies inside 2000::/3, so loopback,
 * unique local, link-local, IPv4-mapped and translated (64:ff9b::/96) addresses are out without being named.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicIpv4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return global6.check(address, "ipv6") && !notPublicIpv6.check(address, "ipv6");
}
