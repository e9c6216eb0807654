/** For release tools: publishing. The signature is who asks. */

import { publishedSchema, publishSchema, uploadSchema } from '@colonnade/release/api';
import type { Database } from '@colonnade/service/database';
import { methodNotAllowed } from '@colonnade/service/problem';
import type { Router } from 'express';
import { bodyOf, bytesBody, jsonBody } from './body.ts';
import type { Publishing } from './publishing.ts';

/** `POST /releases`, `PUT /uploads/{upload}/files/{path}`, `POST /uploads/{upload}/complete`. */
export function publishRoutes(router: Router, { publishing, within }: { publishing: Publishing; within: Database['within'] }): void {
  router.post('/releases', jsonBody, async (req, res) => {
    const begun = await within(publishing.begin(bodyOf(publishSchema, req)));
    if ('exists' in begun) res.json(publishedSchema.parse(begun));
    else res.status(201).json(uploadSchema.parse(begun));
  });
  router.all('/releases', methodNotAllowed('GET', 'HEAD', 'POST'));
  router.put('/uploads/:upload/files/*path', bytesBody, async (req, res) => {
    const { upload, path } = req.params as unknown as { upload: string; path: string[] };
    const bytes: unknown = req.body;
    await within(publishing.putFile(upload, path.join('/'), Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)));
    res.status(204).end();
  });
  router.all('/uploads/:upload/files/*path', methodNotAllowed('PUT'));
  router.post('/uploads/:upload/complete', async (req, res) => {
    const { release, created } = await within(publishing.complete(req.params.upload));
    res.status(created ? 201 : 200).json(publishedSchema.parse(release));
  });
  router.all('/uploads/:upload/complete', methodNotAllowed('POST'));
}
