import type { IncomingMessage } from "node:http";
import type { Answer } from "./answer.ts";

/** A request that matched a route. */
export interface RoutedRequest {
  message: IncomingMessage;
  params: Record<string, string>;
  query: URLSearchParams;
}

export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** For example "/v1/referrals/{uuid}". */
  pattern: string;
  handle: (request: RoutedRequest) => Promise<Answer> | Answer;
}

export type RouteMatch =
  | { kind: "found"; route: Route; params: Record<string, string> }
  | { kind: "wrong-method"; allowed: string[] }
  | { kind: "unknown" };

function paramsOf(pattern: string[], path: string[]): Record<string, string> | null {
  if (pattern.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = path[index] ?? "";
    if (expected.startsWith("{")) params[expected.slice(1, -1)] = actual;
    else if (expected !== actual) return null;
  }
  return params;
}

function decodePath(path: string): string[] | null {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Matches method and path against a list of routes; the first match wins. */
export function createRouter(routes: Route[]): (method: string, path: string) => RouteMatch {
  const table = routes.map((route) => ({ route, segments: route.pattern.split("/") }));
  return (method, path) => {
    const segments = decodePath(path);
    if (!segments) return { kind: "unknown" };
    const allowed: string[] = [];
    for (const entry of table) {
      const params = paramsOf(entry.segments, segments);
      if (!params) continue;
      if (entry.route.method === method) return { kind: "found", route: entry.route, params };
      allowed.push(entry.route.method);
    }
    return allowed.length > 0 ? { kind: "wrong-method", allowed } : { kind: "unknown" };
  };
}
