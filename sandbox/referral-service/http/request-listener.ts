import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, sendAnswer } from "./answer.ts";
import { ApiError } from "./api-error.ts";
import type { Route, RouteMatch } from "./router.ts";
import type { CallCounts } from "./stats.ts";

function refusal(error: unknown, operation: string): Answer {
  if (error instanceof ApiError) {
    return { kind: "json", status: error.status, body: error.body(), headers: error.headers };
  }
  // Only name and place of the failure: a message could quote a patient.
  const lines = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  const place = lines
    .filter((line) => line.startsWith("    at "))
    .slice(0, 5)
    .join("\n");
  console.error(
    `unexpected failure in ${operation}`,
    error instanceof Error ? error.name : "",
    place,
  );
  const internal = new ApiError(500, "INTERNAL_ERROR", "Internal error");
  return { kind: "json", status: internal.status, body: internal.body() };
}

/** Answers HTTP requests from a router; every failure becomes an error body. */
export function createRequestListener(options: {
  match: (method: string, path: string) => RouteMatch;
  counts: CallCounts;
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { match, counts } = options;

  const answerOf = async (
    route: Route,
    params: Record<string, string>,
    message: IncomingMessage,
  ) => {
    const operation = `${route.method} ${route.pattern}`;
    counts.count(operation);
    try {
      const query = new URLSearchParams(message.url?.split("?")[1] ?? "");
      return await route.handle({ message, params, query });
    } catch (error) {
      return refusal(error, operation);
    }
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
    const found = match(method, request.url?.split("?")[0] ?? "/");
    if (found.kind === "found") {
      sendAnswer(response, await answerOf(found.route, found.params, request));
      return;
    }
    const error =
      found.kind === "unknown"
        ? new ApiError(404, "NOT_FOUND", "No such address")
        : new ApiError(405, "METHOD_NOT_ALLOWED", "Method not allowed here", {
            headers: { allow: found.allowed.join(", ") },
          });
    sendAnswer(response, refusal(error, "unrouted"));
  };

  return (request, response) => {
    response.on("error", () => {});
    respond(request, response).catch((error: unknown) => {
      console.error("an answer could not be sent", error instanceof Error ? error.name : "");
      response.destroy();
    });
  };
}
