import { jsonType, type Operation, type Parameter } from "./operation.ts";

const text = (name: string, place: "path" | "query"): Parameter => ({
  name,
  in: place,
  description: "Part of the signed address",
  required: true,
  schema: { type: "string" },
});

/** Signed PDF addresses and descriptions of the service itself. */
export const documentOperations: Operation[] = [
  {
    method: "GET",
    path: "/attachments/{kind}/{uuid}/{file}",
    id: "downloadAttachment",
    tag: "Documents",
    summary: "A PDF at a signed, time-limited address; fetch the resource for a fresh one",
    parameters: [
      text("kind", "path"),
      text("uuid", "path"),
      text("file", "path"),
      text("expires", "query"),
      text("nonce", "query"),
      text("signature", "query"),
    ],
    response: { contentType: "application/pdf", schema: null },
    refusals: [403, 404],
  },
  {
    method: "GET",
    path: "/openapi.json",
    id: "getOpenApi",
    tag: "Documents",
    summary: "This document",
    response: { contentType: jsonType, schema: null },
    refusals: [],
  },
  {
    method: "GET",
    path: "/llms.txt",
    id: "getLlmsText",
    tag: "Documents",
    summary: "The service described for machine readers",
    response: { contentType: "text/plain", schema: null },
    refusals: [],
  },
];
