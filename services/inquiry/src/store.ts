/** The collection of inquiries. One document is one inquiry, whatever was sent twice. */
import { createHmac, randomUUID } from 'node:crypto';
import { type Collection, type Db, MongoServerError } from 'mongodb';
import { newReference, referencePattern } from './reference.ts';
import { categories, type Inquiry } from './schema.ts';

/** An inquiry as it is stored: the fields of the form and these. */
export interface InquiryDocument extends Inquiry {
  /** The digest of key and content (see `submissionDigest`): the primary key itself keeps a double submit from being stored twice. */
  _id: string;
  reference: string;
  receivedAt: Date;
  status: 'new';
  schemaVersion: 1;
}

const validator = {
  $jsonSchema: {
    bsonType: 'object',
    required: ['_id', 'name', 'email', 'category', 'message', 'consent', 'reference', 'receivedAt', 'status', 'schemaVersion'],
    additionalProperties: false,
    properties: {
      _id: { bsonType: 'string', pattern: '^[0-9a-f]{64}$' },
      name: { bsonType: 'string', minLength: 1, maxLength: 100 },
      email: { bsonType: 'string', minLength: 1, maxLength: 254 },
      company: { bsonType: 'string', maxLength: 200 },
      category: { enum: [...categories] },
      message: { bsonType: 'string', minLength: 1, maxLength: 5000 },
      consent: { enum: [true] },
      reference: { bsonType: 'string', pattern: referencePattern.source },
      receivedAt: { bsonType: 'date' },
      status: { enum: ['new'] },
      schemaVersion: { enum: [1] },
    },
  },
};

const namespaceExists = 48;
const duplicateKey = 11_000;
/** Of 2^40 references, one collision is rare and five in a row do not happen. */
const referenceAttempts = 5;

export class InquiryStore {
  readonly inquiries: Collection<InquiryDocument>;
  readonly makeReference: () => string;

  constructor(db: Db, makeReference = newReference) {
    this.inquiries = db.collection('inquiries');
    this.makeReference = makeReference;
  }

  /** Creates the collection with its validator and indexes, or brings them up to date. Several instances may do so at once. */
  static async prepare(db: Db): Promise<void> {
    await db.createCollection('inquiries', { validator }).catch(async (error) => {
      if (error.code !== namespaceExists) throw error;
      await db.command({ collMod: 'inquiries', validator });
    });
    await db.collection('inquiries').createIndexes([{ key: { reference: 1 }, unique: true }, { key: { receivedAt: -1, _id: -1 } }]);
  }

  /**
   * Stores an inquiry and gives its reference; the same key with the same content gives the reference of the first time.
   * @param key the caller's idempotency key; without one each call stores
   */
  async store(inquiry: Inquiry, key: string | undefined): Promise<string> {
    const _id = submissionDigest(inquiry, key ?? randomUUID());
    const rest = { receivedAt: new Date(), status: 'new', schemaVersion: 1 } as const;
    for (let attempt = 1; ; attempt++) {
      const reference = this.makeReference();
      try {
        await this.inquiries.insertOne({ _id, ...inquiry, reference, ...rest });
        return reference;
      } catch (error) {
        if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
        const first = await this.referenceOf(_id);
        if (first !== undefined) return first;
        // Not this submission but the reference was there already.
        if (attempt === referenceAttempts) throw error;
      }
    }
  }

  /** When the inquiry with this reference came, or null. Nothing of who sent it. */
  async receipt(reference: string): Promise<{ reference: string; receivedAt: Date } | null> {
    return await this.inquiries.findOne({ reference }, { projection: { _id: 0, reference: 1, receivedAt: 1 } });
  }

  /** Linearizable: the other submit may have been stored a moment ago, and is confirmed only when a majority has it. */
  private async referenceOf(_id: string): Promise<string | undefined> {
    const stored = await this.inquiries.findOne({ _id }, { projection: { reference: 1 }, readConcern: { level: 'linearizable' } });
    return stored?.reference;
  }
}

/** Names one submission: the same key with other content is another. Keyed, so that it does not tell its content by trial. */
function submissionDigest({ name, email, company, category, message, consent }: Inquiry, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([name, email, company ?? null, category, message, consent]))
    .digest('hex');
}
