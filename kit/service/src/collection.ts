import type { Db, Document, IndexDescription } from 'mongodb';

const namespaceExists = 48;

export interface CollectionShape {
  name: string;
  /** A JSON schema in MongoDB's dialect: guards the collection against whatever does not come through its service. */
  jsonSchema: Document;
  indexes?: readonly IndexDescription[];
}

/** Creates a collection with its validator and indexes, or brings one that exists up to date. Removes no index. */
export async function ensureCollection(db: Db, { name, jsonSchema, indexes = [] }: CollectionShape): Promise<void> {
  const validator = { $jsonSchema: jsonSchema };
  await db.createCollection(name, { validator }).catch(async (error) => {
    if (error.code !== namespaceExists) throw error;
    await db.command({ collMod: name, validator });
  });
  if (indexes.length > 0) await db.collection(name).createIndexes([...indexes]);
}
