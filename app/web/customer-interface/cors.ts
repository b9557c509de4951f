import type { IncomingMessage, ServerResponse } from "node:http";

/** UI extensions run on origins of Shopify's own that differ from page to page; the bearer token is the key. */
export const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, PUT, POST, DELETE, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type",
  "Access-Control-Expose-Headers": "Link",
  "Access-Control-Max-Age": "7200",
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
};

/** Where the customer interface is, as it stands in the request. */
export const INTERFACE = "/api/customer/";

/** Answers a browser that asks before a call. Every address has the same answer, so that it costs next to nothing. */
export function answerPreflight(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, CORS).end();
}
