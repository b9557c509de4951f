import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute).default([]),
  links: z.array(z.object({ traceId: z.string() })).default([]),
});
export type CollectedSpan = z.infer<typeof spanSchema>;

const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) }),
  ),
});

/** Takes traces as an OpenTelemetry collector does (OTLP over HTTP in JSON), and keeps them. */
export async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await json(request);
    bodies.push(JSON.stringify(body));
    const { resourceSpans } = exportSchema.parse(body);
    spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader("content-type", "application/json").end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** Everything that was sent, as it came. */
    bodies,
    close: () => server.close(),
  };
}
