import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { request as requestHttp } from "../../../platform/http.ts";
import { type ResolveHost, vettedLookup } from "./vetted-lookup.ts";

/**
 * Sends a GET on a connection of its own and gives the response as soon as its head is there. Node calls the
 * lookup for names only, so an address as host has to have been allowed before. Rejects with Node's error.
 */
export function openResponse(options: {
  url: URL;
  signal: AbortSignal;
  resolve?: ResolveHost;
}): Promise<IncomingMessage> {
  const { url, signal } = options;
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        // No shared agent: neither a pooled connection nor a proxy from the environment.
        agent: false,
        lookup: vettedLookup(options.resolve),
        signal,
        headers: { accept: "application/pdf", "accept-encoding": "identity" },
      },
      resolve,
    );
    call.on("error", reject);
    // A protocol that nobody asked for ends a call without an error, and without a response.
    call.once("close", () => reject(new Error("closed without an answer")));
    call.end();
  });
}
