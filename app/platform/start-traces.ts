/** Sends traces to a collector. Loaded only where one is set: nobody else pays for it in memory or at the start. */
import * as telemetry from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { loopFailures } from "./counters.ts";
import { errorCode } from "./error-code.ts";
import type { Logger } from "./logger.ts";
import { traceBy } from "./traces.ts";

export interface TraceOptions {
  /** The collector's address without `/v1/traces`. */
  endpoint: string;
  /** `name=value` pairs with commas between them, for a collector that wants a key. */
  headers: string | undefined;
  /** The share of orders that are traced, 0 to 1. What continues a trace goes as the trace does. */
  ratio: number;
  roles: readonly string[];
  logger: Logger;
}

export interface Traces {
  /** Sends what is left, for at most 3 s. */
  stop(): Promise<void>;
}

const FLUSH_MS = 3_000;

/** Starts to trace this process. A collector that is away costs its traces and nothing else: it is counted and logged. */
export function startTraces({ endpoint, headers, ratio, roles, logger }: TraceOptions): Traces {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: readHeaders(headers),
    timeoutMillis: FLUSH_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "pathway",
      "service.instance.id": String(process.pid),
      "pathway.roles": [...roles],
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: told(exporter, logger) })],
  });
  const { context, trace } = telemetry;
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(provider);
  traceBy(telemetry);
  return {
    async stop() {
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref());
      await Promise.race([provider.shutdown(), late]);
    },
  };
}

/** Counts and logs what the collector did not take, by code: its answer is not ours to repeat. */
function told(exporter: SpanExporter, logger: Logger): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) {
          const code = errorCode(result.error);
          loopFailures.add({ loop: "traces", code });
          logger.warn({ code, spans: spans.length }, "traces were not taken by the collector");
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}

function readHeaders(text = ""): Record<string, string> {
  const pairs = text.split(",").map((pair) => pair.split("="));
  return Object.fromEntries(
    pairs.flatMap(([name, ...value]) =>
      name?.trim() ? [[name.trim(), value.join("=").trim()]] : [],
    ),
  );
}
