import path from 'node:path';

/** The site with the fixtures' microfrontends beside the real ones, away from every other site's ports. */
const base = 14_000;
export const fixturePorts = {
  PORT: base,
  OPS_PORT: base + 1,
  SHELL_PORT: base + 100,
  NEWS_PORT: base + 201,
  INQUIRY_PORT: base + 202,
  REGISTRY_PORT: base + 203,
  MONGO_PORT: base + 217,
};
export const fixtureDataDir = path.join(import.meta.dirname, '../.data-fixtures');
export const fixtureOrigin = `http://localhost:${fixturePorts.PORT}`;
