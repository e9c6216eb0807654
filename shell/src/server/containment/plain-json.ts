/**
 * What a release hands over, as a browser will get it: text that was parsed again shares nothing with the release, and
 * cannot fail later when the answer is written.
 * @throws TypeError or RangeError where it is not JSON: circular, a BigInt, a function, too deep
 */
export function plainJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`a ${typeof value} is not JSON`);
  return JSON.parse(text);
}
