import path from 'node:path';
import { mfeConfig } from '@colonnade/mfe/build';

const dir = import.meta.dirname;

export default mfeConfig({
  dir,
  // What the company says of itself on the page, checked against its schema while building.
  rules: [{ test: /\.md$/, loader: '@colonnade/content/loader', options: { schema: path.join(dir, 'content/schema.ts') } }],
});
