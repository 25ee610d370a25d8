import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded into a process before the product, and into each of its threads: while a file exists, the
 * embedded database cannot write, as on a damaged disk. It uses Node's synchronous calls.
 */
const flag = process.env.FAILING_DISK_FILE ?? '';
const { writeSync } = fs;

fs.writeSync = ((descriptor: number, ...rest: [Uint8Array]) => {
  if (descriptor > 2 && fs.existsSync(flag))
    throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO', errno: -5 });
  return writeSync(descriptor, ...rest);
}) as typeof writeSync;
syncBuiltinESMExports();
