/** The collections of this service: their guards and their indexes. */
import type { CollectionShape } from '@colonnade/service/collection';
import type { Collection, Db } from 'mongodb';
import { type AuditDocument, type InquiryDocument, type MailDocument, mailKinds, mailStates, statuses } from './documents.ts';
import { referencePattern } from './reference.ts';
import { categories } from './schema.ts';

const reference = { bsonType: 'string', pattern: referencePattern.source };
const actor = {
  bsonType: 'object',
  required: ['id', 'name'],
  additionalProperties: false,
  properties: { id: { bsonType: 'string', maxLength: 100 }, name: { bsonType: 'string', maxLength: 100 } },
};
/** More than a clerk writes; keeps a document far from MongoDB's limit of 16 MB. */
export const maxNotes = 200;

/** The collections as the code of this version needs them; `migrations.ts` says how stored data gets there. */
export const shapes: Record<'inquiries' | 'outbox' | 'audit' | 'visitorLimits' | 'keys', CollectionShape> = {
  inquiries: {
    name: 'inquiries',
    jsonSchema: {
      bsonType: 'object',
      required: [
        ...['_id', 'reference', 'order', 'category', 'receivedAt', 'status', 'assignee', 'notes', 'version', 'closedAt', 'erased'],
        'schemaVersion',
      ],
      additionalProperties: false,
      properties: {
        _id: { bsonType: 'objectId' },
        reference,
        submission: { bsonType: 'string', pattern: '^[0-9a-f]{64}$' },
        order: { bsonType: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z NV-' },
        name: { bsonType: 'string', minLength: 1, maxLength: 100 },
        email: { bsonType: 'string', minLength: 1, maxLength: 254 },
        company: { bsonType: 'string', maxLength: 200 },
        category: { enum: [...categories] },
        message: { bsonType: 'string', minLength: 1, maxLength: 5000 },
        consent: { enum: [true] },
        receivedAt: { bsonType: 'date' },
        status: { enum: [...statuses] },
        assignee: { bsonType: ['string', 'null'], maxLength: 100 },
        notes: {
          bsonType: 'array',
          maxItems: maxNotes,
          items: {
            bsonType: 'object',
            required: ['at', 'by'],
            additionalProperties: false,
            properties: { at: { bsonType: 'date' }, by: actor, text: { bsonType: 'string', maxLength: 5000 } },
          },
        },
        version: { bsonType: 'int', minimum: 1 },
        closedAt: { bsonType: ['date', 'null'] },
        closingReason: { bsonType: 'string', maxLength: 500 },
        erased: { bsonType: 'bool' },
        schemaVersion: { enum: [2] },
      },
      // Whole, or erased: nothing in between.
      oneOf: [
        { required: ['name', 'email', 'message', 'consent', 'submission'], properties: { erased: { enum: [false] } } },
        {
          properties: { erased: { enum: [true] } },
          not: {
            anyOf: ['name', 'email', 'company', 'message', 'consent', 'submission', 'closingReason'].map((field) => ({
              required: [field],
            })),
          },
        },
      ],
    },
    indexes: [
      { key: { reference: 1 }, unique: true },
      { key: { submission: 1 }, unique: true, sparse: true },
      // Status and category have few values: a list without one of them asks for all, and MongoDB merges the ranges in order.
      { key: { status: 1, category: 1, order: -1 } },
      { key: { assignee: 1, status: 1, category: 1, order: -1 } },
      { key: { closedAt: 1 }, partialFilterExpression: { erased: false } },
    ],
  },
  outbox: {
    name: 'outbox',
    jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'reference', 'kind', 'state', 'attempts', 'createdAt', 'schemaVersion'],
      additionalProperties: false,
      properties: {
        _id: { bsonType: 'string' },
        reference,
        kind: { enum: [...mailKinds] },
        state: { enum: [...mailStates] },
        attempts: { bsonType: 'int', minimum: 0 },
        createdAt: { bsonType: 'date' },
        dueAt: { bsonType: 'date' },
        lease: { bsonType: 'string' },
        sentAt: { bsonType: 'date' },
        failure: { bsonType: 'string', maxLength: 100 },
        schemaVersion: { enum: [1] },
      },
    },
    indexes: [{ key: { dueAt: 1 }, sparse: true }, { key: { state: 1, createdAt: 1 } }],
  },
  audit: {
    name: 'audit',
    jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'at', 'by', 'action', 'schemaVersion'],
      additionalProperties: false,
      properties: {
        _id: { bsonType: 'objectId' },
        reference,
        at: { bsonType: 'date' },
        by: actor,
        action: { enum: ['assign', 'status', 'note', 'erase', 'resend', 'export'] },
        to: { bsonType: ['string', 'null'], maxLength: 100 },
        schemaVersion: { enum: [1] },
      },
    },
    indexes: [{ key: { reference: 1, _id: 1 } }],
  },
  visitorLimits: {
    name: 'visitor-limits',
    jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'count', 'expiresAt'],
      additionalProperties: false,
      properties: {
        _id: { bsonType: 'string', pattern: '^[0-9a-f]{64}$' },
        count: { bsonType: 'int', minimum: 1 },
        expiresAt: { bsonType: 'date' },
      },
    },
    indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  },
  keys: {
    name: 'keys',
    jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'key', 'expiresAt'],
      additionalProperties: false,
      properties: { _id: { bsonType: 'string' }, key: { bsonType: 'string', minLength: 43 }, expiresAt: { bsonType: 'date' } },
    },
    indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  },
};

export const inquiriesOf = (db: Db): Collection<InquiryDocument> => db.collection(shapes.inquiries.name);
export const outboxOf = (db: Db): Collection<MailDocument> => db.collection(shapes.outbox.name);
export const auditOf = (db: Db): Collection<AuditDocument> => db.collection(shapes.audit.name);
