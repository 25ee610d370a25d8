import { readdirSync, rmSync } from 'node:fs';

/** The npm package of Node brings 67 MB of C headers, which nothing here compiles with. */
const packages = new URL('../node_modules/node/node_modules/', import.meta.url);
for (const name of entriesOf(packages))
  if (name.startsWith('node-'))
    rmSync(new URL(`${name}/include`, packages), { recursive: true, force: true });

function entriesOf(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
