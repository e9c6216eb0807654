import { expect, it } from 'vitest';
import { inTrace, newTrace, traceId, traceOf, traceparent } from './trace.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

it('takes a trace that is named as the standard says, of later versions what this one knows', () => {
  expect(traceOf(`00-${id}-${span}-01`)).toEqual({ id, flags: '01' });
  expect(traceOf(`cc-${id}-${span}-00`)).toEqual({ id, flags: '00' });
  expect(traceOf(`cc-${id}-${span}-00-what-comes`)).toEqual({ id, flags: '00' });
});

it.each([
  undefined,
  '',
  id,
  `00-${id}-${span}`,
  `00-${id}-${span}-01-more`,
  `00-${id}-${span}-01 `,
  `ff-${id}-${span}-01`,
  `00-${id.toUpperCase()}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${id}-${'0'.repeat(16)}-01`,
  `00-${id}-${span}-0x`,
  `cc-${id}-${span}-01more`,
  `00-${id}-${span}-01, 00-${id}-${span}-01`,
])('takes no other: %s', (field) => {
  expect(traceOf(field)).toBeUndefined();
});

it('is named to others across awaits, with another span each time, and ends with the code', async () => {
  await inTrace({ id, flags: '01' }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(traceId()).toBe(id);
    const fields = [traceparent(), traceparent()].map((field) => field.traceparent);
    for (const field of fields) expect(field).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
    expect(new Set([...fields, `00-${id}-${span}-01`]).size).toBe(3);
  });
  expect([traceId(), traceparent()]).toEqual([undefined, {}]);
});

it('begins with an id of its own', () => {
  const traces = [newTrace(), newTrace()];
  for (const trace of traces) expect(traceOf(`00-${trace.id}-${span}-${trace.flags}`)).toEqual(trace);
  expect(traces[0]?.id).not.toBe(traces[1]?.id);
});
