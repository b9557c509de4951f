import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Looks a name up: all its addresses. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

/** A name that leads outside the public internet. */
class PrivateAddressError extends Error {
  readonly code = "PRIVATE_ADDRESS";
}

/**
 * The lookup of the connection itself, so that the addresses vetted are the addresses connected to: a name
 * that changes between a check and a connection has no moment to do so. One private address spoils a name.
 */
export function vettedLookup(resolve: ResolveHost = resolveBySystem): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const isAllowed = isOwnName(host) ? isLoopback : isPublicAddress;
        if (!first || !addresses.every(({ address }) => isAllowed(address))) {
          callback(new PrivateAddressError("host leads to a private address"), "");
        } else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

/** `localhost` is this machine, wherever it is asked (RFC 6761). Only a list that names it lets it through. */
const isOwnName = (host: string) => host === "localhost";
const isLoopback = (address: string) => address === "::1" || address.startsWith("127.");

function resolveBySystem(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });
}
