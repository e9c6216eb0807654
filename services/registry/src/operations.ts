/** What the OpenAPI document says of each address: the schemas that check it, and its answers. */

import {
  activateSchema,
  activationSchema,
  auditSchema,
  countsSchema,
  historySchema,
  nameSchema,
  publishedSchema,
  publishSchema,
  releaseAnswerSchema,
  releaseListSchema,
  reportSchema,
  rollbackSchema,
  stateSchema,
  uploadSchema,
  withdrawSchema,
} from '@colonnade/release/api';
import { signedKeyringSchema } from '@colonnade/release/schema';
import { type Operation, openapiDocument } from '@colonnade/service/openapi';
import { z } from 'zod';
import { activationParams, afterSchema, byNameSchema, releaseParams, shellParams, uploadParams, waitSchema } from './address.ts';

const description = `Which release of each microfrontend is live. For programs of the site: requests of a browser are refused.

Not described here: \`GET /events?shell={id}\`, server-sent events \`state\` with what \`GET /state\` answers, at once and on each
change; \`PUT /uploads/{upload}/files/{path}\` with a file's bytes as application/octet-stream (204), and
\`GET /releases/{name}/{version}/files/{path}\` with them.`;

const badAddress = { 400: 'The address is not understood.' };
const badBody = { 400: 'The body is not JSON.', 413: 'The body is too large.', 415: 'Not JSON in UTF-8.', 422: 'A field does not fit.' };
const browser = { 403: 'From a browser.' };
const begun = {
  201: { description: 'Done.', schema: activationSchema, headers: ['Location'] },
  202: { description: 'Shells try it.', schema: activationSchema, headers: ['Location'] },
};
const conflict = { 409: 'Another is on its way, or it would not fit; `code` says which.' };

const reading: Operation[] = [
  {
    ...{ method: 'get', path: '/keyring', id: 'readKeyring', summary: 'Which key may sign which microfrontend' },
    ...{
      answers: { 200: { description: 'Signed by the root key.', schema: signedKeyringSchema } },
      problems: { ...browser, 409: 'None yet.' },
    },
  },
  {
    ...{ method: 'get', path: '/releases', id: 'listReleases', summary: 'Releases, newest first', query: byNameSchema },
    ...{ answers: { 200: { description: 'At most 500.', schema: releaseListSchema } }, problems: { ...badAddress, ...browser } },
  },
  {
    ...{
      method: 'get',
      path: '/releases/{name}/{version}',
      id: 'readRelease',
      summary: 'One release, as it was signed',
      params: releaseParams,
    },
    ...{
      answers: { 200: { description: 'It.', schema: releaseAnswerSchema } },
      problems: { ...badAddress, ...browser, 404: 'Never published.' },
    },
  },
  {
    ...{ method: 'get', path: '/state', id: 'readState', summary: 'What shells shall serve' },
    ...{ answers: { 200: { description: 'Now.', schema: stateSchema } }, problems: browser },
  },
  {
    ...{ method: 'get', path: '/activations/{id}', id: 'readActivation', summary: 'How an activation goes; waits for its end' },
    ...{ params: activationParams, query: waitSchema, answers: { 200: { description: 'It.', schema: activationSchema } } },
    problems: { ...badAddress, ...browser, 404: 'No such activation.' },
  },
  {
    ...{ method: 'get', path: '/history', id: 'readHistory', summary: 'What was ever live, newest first', query: byNameSchema },
    ...{ answers: { 200: { description: 'At most 200.', schema: historySchema } }, problems: { ...badAddress, ...browser } },
  },
  {
    ...{ method: 'get', path: '/audit', id: 'readAudit', summary: 'Who did what, oldest first', query: afterSchema },
    ...{ answers: { 200: { description: 'At most 200.', schema: auditSchema } }, problems: { ...badAddress, ...browser } },
  },
];

const publishing: Operation[] = [
  {
    ...{ method: 'post', path: '/releases', id: 'beginUpload', summary: 'Begin to publish a signed release', body: publishSchema },
    answers: {
      200: { description: 'This very release exists.', schema: publishedSchema },
      201: { description: 'Send what is missing.', schema: uploadSchema },
    },
    problems: { ...badBody, 403: 'The signature or its key is not good.', 409: 'The version, or a path, is taken.' },
  },
  {
    ...{
      method: 'post',
      path: '/uploads/{upload}/complete',
      id: 'completeUpload',
      summary: 'Make the release exist',
      params: uploadParams,
    },
    answers: {
      200: { description: 'It existed.', schema: publishedSchema },
      201: { description: 'It exists.', schema: publishedSchema },
    },
    problems: {
      ...{ 403: 'The key is not good any more.', 404: 'No such upload.', 409: 'Files are missing, or the version is taken.' },
      ...{ 413: 'Too large as a whole.', 422: 'The manifest does not fit any more.' },
    },
  },
];

const notAShell = { 401: 'Without SHELL_TOKEN, where the registry has one.' };

const shells: Operation[] = [
  {
    ...{
      method: 'post',
      path: '/shells/{id}/reports',
      id: 'reportTrial',
      summary: 'How a trial went',
      params: shellParams,
      body: reportSchema,
    },
    ...{ answers: { 204: { description: 'Noted.' } }, problems: { ...badBody, ...browser, ...notAShell } },
  },
  {
    ...{
      method: 'post',
      path: '/shells/{id}/counts',
      id: 'reportCounts',
      summary: 'What was counted',
      params: shellParams,
      body: countsSchema,
    },
    ...{ answers: { 204: { description: 'Noted.' } }, problems: { ...badBody, ...browser, ...notAShell } },
  },
];

const operator: Operation[] = [
  {
    ...{
      method: 'put',
      path: '/keyring',
      id: 'replaceKeyring',
      summary: 'Replace the keyring by a newer one',
      staff: true,
      body: signedKeyringSchema,
    },
    answers: {
      200: { description: 'It is the present one.', schema: z.object({ changed: z.boolean() }) },
      201: { description: 'Replaced.', schema: z.object({ changed: z.boolean() }) },
    },
    problems: { ...badBody, 403: 'Not signed by the root key.', 409: 'Older, lacks a key, or takes from one what is served.' },
  },
  {
    ...{
      method: 'post',
      path: '/activations',
      id: 'activate',
      summary: 'Make a release live, or a canary',
      staff: true,
      body: activateSchema,
    },
    ...{ answers: begun, problems: { ...badBody, ...conflict, 404: 'Never published.' } },
  },
  {
    ...{
      method: 'post',
      path: '/rollbacks',
      id: 'rollBack',
      summary: 'Go back to the version before; with `from` only while that version is live',
      staff: true,
      body: rollbackSchema,
    },
    ...{ answers: begun, problems: { ...badBody, ...conflict } },
  },
  {
    ...{
      method: 'post',
      path: '/deactivations',
      id: 'deactivate',
      summary: 'Take a microfrontend off the site',
      staff: true,
      body: nameSchema,
    },
    ...{ answers: begun, problems: { ...badBody, ...conflict } },
  },
  {
    ...{ method: 'post', path: '/canary/promote', id: 'promoteCanary', summary: 'Make the canary live', staff: true },
    ...{ answers: { 201: begun[201] }, problems: { 409: 'No canary is running.' } },
  },
  {
    ...{
      method: 'post',
      path: '/canary/withdraw',
      id: 'withdrawCanary',
      summary: 'Take the canary back',
      staff: true,
      body: withdrawSchema,
    },
    ...{ answers: { 201: begun[201] }, problems: { ...badBody, 409: 'No canary is running.' } },
  },
];

/** The whole document. */
export function registryOpenapi(version: string): object {
  const operations = [...reading, ...publishing, ...shells, ...operator];
  return openapiDocument({ title: 'Colonnade registry', version, description, operations });
}
