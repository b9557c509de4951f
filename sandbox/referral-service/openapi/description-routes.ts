import type { Core } from "../core.ts";
import { json } from "../http/answer.ts";
import type { Route } from "../http/router.ts";
import { openApiDocument } from "./document.ts";
import { llmsText } from "./llms-text.ts";

/** GET /openapi.json and GET /llms.txt; open to everybody. */
export function descriptionRoutes(core: Core): Route[] {
  return [
    {
      method: "GET",
      pattern: "/openapi.json",
      handle: () => json(openApiDocument(core.addresses.baseUrl)),
    },
    {
      method: "GET",
      pattern: "/llms.txt",
      handle: () => ({
        kind: "bytes",
        status: 200,
        contentType: "text/plain; charset=utf-8",
        body: llmsText(core.addresses),
      }),
    },
  ];
}
