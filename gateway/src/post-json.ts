/** Tells another process something. @returns whether it took it */
export async function postJson(url: string, body: object, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
