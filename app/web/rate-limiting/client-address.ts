import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4 } from "node:net";

/** Addresses and ranges (`10.0.0.0/8`) of proxies whose X-Forwarded-For is believed. Throws on anything else. */
export function readTrustedProxies(names: readonly string[]): BlockList {
  const list = new BlockList();
  for (const name of names) {
    const [address = "", prefix] = name.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    const bits = prefix === undefined ? null : Number(prefix);
    const most = family === "ipv4" ? 32 : 128;
    const isRange = bits === null || (Number.isInteger(bits) && bits >= 0 && bits <= most);
    if (isIP(address) === 0 || prefix === "" || !isRange)
      throw new Error(`PATHWAY_TRUSTED_PROXIES: "${name}" is no address and no range`);
    if (bits === null) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return list;
}

/**
 * The address that a request came from: the last one in X-Forwarded-For that no trusted proxy has. Anybody can write that
 * header, so it counts only as far as trusted proxies wrote it. Of IPv6 it is the network, for one person has all of it.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  let address = plain(request.socket.remoteAddress ?? "");
  const header = request.headers["x-forwarded-for"];
  const hops = String(header ?? "").split(",");
  while (isTrusted(address, trusted)) {
    const before = plain(hops.pop()?.trim() ?? "");
    if (isIP(before) === 0) break;
    address = before;
  }
  return isIPv4(address) ? address : networkOf(address);
}

/** Whether a request came through a proxy whose word is not believed. */
export const isForwarded = (request: IncomingMessage, trusted: BlockList): boolean =>
  request.headers["x-forwarded-for"] !== undefined &&
  !isTrusted(plain(request.socket.remoteAddress ?? ""), trusted);

const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, "");

const isTrusted = (address: string, trusted: BlockList) =>
  isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? "ipv4" : "ipv6");

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Math.max(0, 8 - before.length - after.length);
  const all = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
