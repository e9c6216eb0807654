/** Run by `mongod-binary.ts` as a process: downloads a mongod into the folder of its first argument and prints its path. */
import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';

const downloadDir = process.argv[2];
if (downloadDir === undefined) throw new Error('usage: memory-server-download.ts <folder>');
process.stdout.write(await MongoBinary.getPath({ downloadDir }));
