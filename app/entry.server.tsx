import { PassThrough } from "node:stream";
import {
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { addDocumentHeaders } from "./clients/shopify/document-headers.ts";
import { NonceProvider } from "./components/document/nonce.ts";
import { newSecret } from "./modules/kernel/secret.ts";
import { withoutSecrets } from "./web/customer-interface/token.ts";

const STREAM_TIMEOUT_MS = 5000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { app }: AppLoadContext,
): Promise<Response> {
  const nonce = newSecret("script_nonce");
  addDocumentHeaders(headers, request, { ...app.embedding, nonce });
  const isBot = isbot(request.headers.get("user-agent") ?? "");
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceProvider value={nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </NonceProvider>,
      {
        nonce,
        [isBot ? "onAllReady" : "onShellReady"]() {
          const body = new PassThrough();
          headers.set("Content-Type", "text/html");
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onShellError: reject,
        onError(error) {
          app.ports.logger.error({ err: error }, "page could not be rendered");
        },
      },
    );
    setTimeout(abort, STREAM_TIMEOUT_MS + 1000).unref();
  });
}

/** A failure in a loader or action: noted without its message, which may quote what somebody typed. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: AppLoadContext },
): void {
  // An answer such as 404 that Remix gives by itself is no failure of ours.
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  const pathname = withoutSecrets(new URL(request.url).pathname);
  context.app.ports.logger.error({ err: error, pathname }, "request failed");
}
