/** The path of a news item's page, as the list links it. */
export async function somePage(origin: string): Promise<string> {
  const list = await (await fetch(`${origin}/news`)).text();
  const found = /href="(\/news\/[a-z0-9-]+)"/.exec(list)?.[1];
  if (found === undefined) throw new Error(`${origin}/news links no item`);
  return found;
}
