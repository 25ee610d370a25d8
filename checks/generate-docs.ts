import { writeFileSync } from 'node:fs';
import { documents } from './documents.ts';

for (const [path, write] of Object.entries(documents)) {
  writeFileSync(path, write());
  process.stdout.write(`${path}\n`);
}
