import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));

/**
 * Nothing here uses the C headers in the npm package of Node (67 MB) and the source maps of
 * libraries (57 MB).
 */
function isUnused(path) {
  return path.endsWith('.map') || /^node.node_modules.node-[^/\\]+.include$/.test(path);
}

const paths = existsSync(packages) ? readdirSync(packages, { recursive: true }) : [];
for (const path of paths.filter(isUnused))
  rmSync(join(packages, path), { recursive: true, force: true });
