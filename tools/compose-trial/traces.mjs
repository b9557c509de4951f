#!/usr/bin/env node
// Stands in for Jaeger where compose.yaml is tried and its image can't be had (tools/compose-trial.sh): takes traces by OTLP over HTTP
// at port 4318, and at port 16686 answers what the trial asks, in Jaeger's form: the traces that have a span with a tag.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const traces = new Map();

createServer(async (request, response) => {
  const { resourceSpans } = await json(request);
  for (const { scopeSpans } of resourceSpans)
    for (const { name, traceId, attributes = [] } of scopeSpans.flatMap(({ spans }) => spans)) {
      const tags = attributes.map(({ key, value }) => ({ key, value: String(value.stringValue) }));
      const spans = traces.get(traceId) ?? [];
      traces.set(traceId, [...spans, { operationName: name, tags }]);
    }
  response.setHeader("content-type", "application/json").end("{}");
}).listen(4318);

createServer((request, response) => {
  const { searchParams } = new URL(request.url, "http://traces");
  const wanted = Object.entries(JSON.parse(searchParams.get("tags") ?? "{}"));
  const fits = ({ tags }) =>
    wanted.every(([key, value]) => tags.some((tag) => tag.key === key && tag.value === value));
  const data = [...traces]
    .filter(([, spans]) => spans.some(fits))
    .map(([traceID, spans]) => ({ traceID, spans }));
  response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
}).listen(16_686);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit());
