/**
 * Traces: which steps an order's way was made of, and how long each took. Without a collector (start-traces.ts) nothing
 * here does anything. Names and attributes hold kinds, codes and ids of ours: a trace is read by operators, so it holds
 * nothing that is not in a log.
 */
import type * as OpenTelemetry from "@opentelemetry/api";
import type { Attributes, Context, Span, SpanContext } from "@opentelemetry/api";
import { errorCode } from "./error-code.ts";

/** Null until a collector is set: its 51 files would be read at each start, by everybody. */
let telemetry: typeof OpenTelemetry | null = null;

/** Has each step from now on noted by OpenTelemetry. */
export function traceBy(api: typeof OpenTelemetry): void {
  telemetry = api;
}

/** `00-<trace id>-<span id>-<flags>` (W3C Trace Context, version 00). */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/;

/** Reads a stored traceparent; null for anything else. */
function readTraceparent(api: typeof OpenTelemetry, value: string | null): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(value ?? "") ?? [];
  if (!traceId || !spanId) return null;
  const read = { traceId, spanId, traceFlags: Number(flags), isRemote: true };
  return api.isSpanContextValid(read) ? read : null;
}

/** The traceparent of the step under way, to be stored beside the work that it asks for; null when nothing is traced. */
export function currentTraceparent(): string | null {
  const here = stepUnderWay();
  if (!here || !telemetry?.isSpanContextValid(here)) return null;
  return `00-${here.traceId}-${here.spanId}-0${here.traceFlags & 1}`;
}

/** The ids that a log line carries, so that it can be found from its trace and the other way round. */
export function traceIds(): { trace_id: string; span_id: string } | undefined {
  const here = stepUnderWay();
  return here && { trace_id: here.traceId, span_id: here.spanId };
}

export interface Step {
  kind: "server" | "client" | "consumer" | "internal";
  /** The traceparent that it continues: null or unreadable begins a trace of its own. Absent: the step around it. */
  parent?: string | null;
  attributes?: Attributes;
}

const stepUnderWay = () => telemetry?.trace.getActiveSpan()?.spanContext();

const KINDS = {
  server: "SERVER",
  client: "CLIENT",
  consumer: "CONSUMER",
  internal: "INTERNAL",
} as const satisfies Record<Step["kind"], keyof typeof OpenTelemetry.SpanKind>;

/** Does `work` as one step of a trace. A failure is noted by its code and thrown on. */
export async function inStep<T>(
  name: string,
  { kind, parent, attributes }: Step,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  if (!telemetry) return work(() => {});
  const { context, SpanKind, trace } = telemetry;
  const around = parent === undefined ? context.active() : contextOf(telemetry, parent);
  const options = { kind: SpanKind[KINDS[kind]], attributes };
  const span = trace.getTracer("pathway").startSpan(name, options, around);
  try {
    return await context.with(trace.setSpan(around, span), () =>
      work((more) => span.setAttributes(more)),
    );
  } catch (error) {
    noteFailure(telemetry, span, error);
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Does `work` as a step of the trace of `traceparent`, to which the step under way links; within that step when it belongs
 * to that trace already, or there is none.
 */
export async function goOnIn<T>(
  traceparent: string | null,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const there = telemetry && readTraceparent(telemetry, traceparent);
  if (!there || stepUnderWay()?.traceId === there.traceId) return work();
  linkToTrace(traceparent ?? "");
  return inStep(name, { kind: "internal", parent: traceparent }, work);
}

function noteFailure(api: typeof OpenTelemetry, span: Span, error: unknown): void {
  // The code alone: a message may quote what somebody typed.
  span.setAttribute("error.type", errorCode(error));
  span.setStatus({ code: api.SpanStatusCode.ERROR });
}

function contextOf(api: typeof OpenTelemetry, parent: string | null): Context {
  const read = readTraceparent(api, parent);
  return read ? api.trace.setSpanContext(api.ROOT_CONTEXT, read) : api.ROOT_CONTEXT;
}

/** Links the step under way to a trace that goes on because of it. */
export function linkToTrace(traceparent: string): void {
  const read = telemetry && readTraceparent(telemetry, traceparent);
  const span = telemetry?.trace.getActiveSpan();
  if (read && span && span.spanContext().traceId !== read.traceId) span.addLink({ context: read });
}
