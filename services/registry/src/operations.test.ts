import { expect, it } from 'vitest';
import { registryOpenapi } from './operations.ts';

const document = registryOpenapi('1.2.3') as { openapi: string; paths: Record<string, Record<string, { security?: object[] }>> };

it('describes every address with a JSON answer, and which of them need a token', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => `${method} ${path}${security === undefined ? '' : ' token'}`),
  );
  expect(operations).toEqual([
    ...['get /keyring', 'put /keyring token', 'get /releases', 'post /releases', 'get /releases/{name}/{version}', 'get /state'],
    ...['get /activations/{id}', 'get /history', 'get /audit', 'post /uploads/{upload}/complete'],
    ...['post /shells/{id}/reports', 'post /shells/{id}/counts', 'post /activations token', 'post /rollbacks token'],
    ...['post /deactivations token', 'post /canary/promote token', 'post /canary/withdraw token'],
  ]);
  expect(JSON.stringify(document)).toContain('{"name":"wait","in":"query","required":false,"schema":{"type":"integer","minimum":0');
});
