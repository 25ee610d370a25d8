import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { listPageFiles } from './preload-pages.ts';

/** Builds the site when something it is made from has changed since the last build. */
const web = import.meta.dirname;
const root = join(web, '..');
const stamp = join(web, 'dist', '.built-from');
const inputs = [
  'web/src/**/*',
  'web/public/**/*',
  'web/index.html',
  'web/vite.config.ts',
  'web/preload-pages.ts',
  'contract/src/**/*',
  'package-lock.json',
];

/** Larger parts of the site, such as the estimator of passwords, are useless offline. */
const largestShellFile = 400_000;

if (import.meta.main) await buildWhenStale();

export async function buildWhenStale(): Promise<void> {
  const present = hashOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === present) return;
  const built = await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' });
  listPageFiles((built as Rolldown.RolldownOutput).output, join(web, 'dist/early.js'));
  listShell();
  compress();
  writeFileSync(stamp, present);
}

function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  const files = globSync([...patterns], { cwd: root, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** Tells the service worker which files make the shell. Its cache is named after them. */
function listShell(): void {
  const files = globSync(['assets/*.{js,css}', 'icons/*.png', '*.{svg,js,webmanifest}'], {
    cwd: join(web, 'dist'),
  })
    .filter((file) => file !== 'sw.js' && statSync(join(web, 'dist', file)).size < largestShellFile)
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .sort();
  const version = createHash('sha256').update(readFileSync(join(web, 'dist/index.html')));
  for (const file of files) version.update(readFileSync(join(web, 'dist', file)));
  const worker = join(web, 'dist/sw.js');
  const lists = `const shellFiles=${JSON.stringify(files)};const shellVersion='${version.digest('hex').slice(0, 16)}';`;
  writeFileSync(worker, lists + readFileSync(worker, 'utf8'));
}

/** Once here instead of at every request. */
function compress(): void {
  for (const file of globSync('dist/**/*.{html,js,css,svg,json,txt,webmanifest}', { cwd: web })) {
    const bytes = readFileSync(join(web, file));
    writeFileSync(join(web, `${file}.br`), brotliCompressSync(bytes));
    writeFileSync(join(web, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}
