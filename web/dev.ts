import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';

/** Server and site with reload: the server restarts, Vite serves the pages and proxies calls. */
const web = import.meta.dirname;
const apiPort = 4401;
const sitePort = Number(process.env.PORT ?? 4400);
const publicUrl = `http://127.0.0.1:${sitePort}`;

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(web, '../server/src/main.ts')],
  {
    stdio: 'inherit',
    env: { ...process.env, PORT: String(apiPort), PUBLIC_URL: publicUrl },
  },
);
const target = `http://127.0.0.1:${apiPort}`;
const passedOn = ['/api', '/config.prod.json', '/openapi.json', '/health', '/metrics', '/dev'];
const vite = await createServer({
  configFile: join(web, 'vite.config.ts'),
  server: {
    port: sitePort,
    strictPort: true,
    host: '127.0.0.1',
    proxy: Object.fromEntries(passedOn.map((path) => [path, target])),
  },
});
await vite.listen();
process.stdout.write(`Open ${publicUrl}\n`);
// Vite ends this process when it has closed, so the server is told first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 0));
