/**
 * Which trace a request belongs to, told from process to process in `traceparent`. Nothing is recorded of it here but its
 * id, in the logs.
 * @see https://www.w3.org/TR/trace-context/
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export interface Trace {
  /** 32 hex digits. */
  id: string;
  /** Two hex digits, as they came: whether the one who began it records it. */
  flags: string;
}

const current = new AsyncLocalStorage<Trace>();
const zeros = /^0+$/;

/** The trace that a request names; undefined where it names none that is valid. */
export function traceOf(traceparent: string | string[] | undefined): Trace | undefined {
  // Later versions may have more after the flags; 00 has not, and there is no ff.
  const [, id, span, flags] =
    /^(?:00-(?=.{52}$)|(?!ff|00)[\da-f]{2}-)([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(`${traceparent}`) ?? [];
  return id && span && flags && !zeros.test(id) && !zeros.test(span) ? { id, flags } : undefined;
}

/** A trace that begins here, not recorded. */
export function newTrace(): Trace {
  return { id: randomHex(), flags: '00' };
}

/** Runs code, and what it begins, as part of a trace. */
export function inTrace<T>(trace: Trace | undefined, code: () => T): T {
  return trace ? current.run(trace, code) : code();
}

/** The id of the trace that the running code is part of. */
export function traceId(): string | undefined {
  return current.getStore()?.id;
}

/** The field, with a span id of its own, that a request which the running code sends to another process has to carry. */
export function traceparent(): { traceparent?: string } {
  const trace = current.getStore();
  return trace ? { traceparent: `00-${trace.id}-${randomHex().slice(16)}-${trace.flags}` } : {};
}

/** 32 digits, of which 122 bits are random: UUIDs are made ahead, and cost a quarter of bytes that are asked for one by one. */
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}
