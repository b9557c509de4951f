/**
 * Traces: which steps an order's way was made of, and how long each took. Without a collector (start-traces.ts) nothing
 * here does anything. Names and attributes hold kinds, codes and ids of ours: a trace is read by operators, so it holds
 * nothing that is not in a log.
 */
import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { errorCode } from "./error-code.ts";

const tracer = () => trace.getTracer("pathway");

/** `00-<trace id>-<span id>-<flags>` (W3C Trace Context, version 00). */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/;

/** Reads a stored traceparent; null for anything else. */
function readTraceparent(value: string | null | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(value ?? "") ?? [];
  if (!traceId || !spanId) return null;
  const read = { traceId, spanId, traceFlags: Number(flags), isRemote: true };
  return isSpanContextValid(read) ? read : null;
}

/** The traceparent of the step under way, to be stored beside the work that it asks for; null when nothing is traced. */
export function currentTraceparent(): string | null {
  const here = trace.getActiveSpan()?.spanContext();
  if (!here || !isSpanContextValid(here)) return null;
  return `00-${here.traceId}-${here.spanId}-0${here.traceFlags & 1}`;
}

/** The ids that a log line carries, so that it can be found from its trace and the other way round. */
export function traceIds(): { trace_id: string; span_id: string } | undefined {
  const here = trace.getActiveSpan()?.spanContext();
  return here && { trace_id: here.traceId, span_id: here.spanId };
}

export interface Step {
  kind: "server" | "client" | "consumer" | "internal";
  /** The traceparent that it continues: null or unreadable begins a trace of its own. Absent: the step around it. */
  parent?: string | null;
  attributes?: Attributes;
}

const KINDS: Record<Step["kind"], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Does `work` as one step of a trace. A failure is noted by its code and thrown on. */
export async function inStep<T>(
  name: string,
  { kind, parent, attributes }: Step,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  const around = parent === undefined ? context.active() : contextOf(parent);
  const span = tracer().startSpan(name, { kind: KINDS[kind], attributes }, around);
  try {
    return await context.with(trace.setSpan(around, span), () =>
      work((more) => span.setAttributes(more)),
    );
  } catch (error) {
    noteFailure(span, error);
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
  const there = readTraceparent(traceparent);
  const here = trace.getActiveSpan()?.spanContext();
  if (!there || here?.traceId === there.traceId) return work();
  linkToTrace(traceparent ?? "");
  return inStep(name, { kind: "internal", parent: traceparent }, work);
}

function noteFailure(span: Span, error: unknown): void {
  // The code alone: a message may quote what somebody typed.
  span.setAttribute("error.type", errorCode(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function contextOf(parent: string | null) {
  const read = readTraceparent(parent);
  return read ? trace.setSpanContext(ROOT_CONTEXT, read) : ROOT_CONTEXT;
}

/** Links the step under way to a trace that goes on because of it. */
export function linkToTrace(traceparent: string): void {
  const read = readTraceparent(traceparent);
  const span = trace.getActiveSpan();
  if (read && span && span.spanContext().traceId !== read.traceId) span.addLink({ context: read });
}
