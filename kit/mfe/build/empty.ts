// Stands in for every `*.server.ts` in a client build.
export {};
