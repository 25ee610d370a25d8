import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Builds the site when something it is made from has changed since the last build; otherwise does nothing, fast. */
const web = import.meta.dirname;
const root = join(web, '..');
const stamp = join(web, 'dist', '.built-from');
const inputs = [
  'web/src/**/*',
  'web/public/**/*',
  'web/index.html',
  'web/vite.config.ts',
  'contract/src/**/*',
  'package-lock.json',
];

if (import.meta.main) await buildWhenStale();

export async function buildWhenStale(): Promise<void> {
  const present = hashOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === present) return;
  await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' });
  compress();
  writeFileSync(stamp, present);
}

function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  const files = globSync([...patterns], { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** Once here instead of at every request. */
function compress(): void {
  for (const file of globSync('dist/**/*.{html,js,css,svg,json,txt,webmanifest}', { cwd: web })) {
    const bytes = readFileSync(join(web, file));
    writeFileSync(join(web, `${file}.br`), brotliCompressSync(bytes));
    writeFileSync(join(web, `${file}.gz`), gzipSync(bytes));
  }
}
