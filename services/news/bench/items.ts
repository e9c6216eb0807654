/**
 * Replaces the news of a database by the items of a file, so that this site's pages weigh the same as those of another site with
 * the same items. Run it with `NEWS_MONGODB_URI=… node services/news/bench/items.ts items.json`; the file holds an array of
 * `{newsId, title, category, language, excerpt, body, publishedAt}`, as the service's drafts are.
 */
import { readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { Counts } from '../src/counts.ts';
import { newsCollections, publishedDocument } from '../src/documents.ts';
import { draftSchema, type NewsDraft } from '../src/schema.ts';

const [file] = process.argv.slice(2);
const uri = process.env.NEWS_MONGODB_URI;
if (file === undefined || uri === undefined) {
  console.error('NEWS_MONGODB_URI=mongodb://… node services/news/bench/items.ts items.json');
  process.exit(2);
}
const items = JSON.parse(readFileSync(file, 'utf8')) as (NewsDraft & { publishedAt: string })[];
const documents = items.map((item) => {
  draftSchema.parse(item);
  return publishedDocument(item, new Date(item.publishedAt));
});

const client = new MongoClient(uri);
try {
  const collections = newsCollections(client.db());
  await collections.ids.deleteMany({});
  await collections.news.deleteMany({});
  await collections.ids.insertMany(documents.map(({ _id, newsId }) => ({ _id: newsId, item: _id })));
  await collections.news.insertMany(documents);
  await new Counts(collections).rebuild();
  console.log(`${documents.length} items`);
} finally {
  await client.close();
}
