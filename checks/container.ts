import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listFiles } from './tree.ts';

/**
 * Runs the steps of the Dockerfile in a bare directory, starts what it starts and asks its health
 * check. `--short` takes packages and build from this checkout instead of running the commands, so
 * that it cannot tell the size.
 */
const isShort = process.argv.includes('--short');
const root = join(import.meta.dirname, '..');
/** With node:24-alpine, which has about 165 MB, the image stays below 350 MB. */
const appMegabytesAtMost = 170;
const bare = mkdtempSync(join(tmpdir(), 'rowmill-container-'));

interface Stage {
  name: string;
  directory: string;
  env: Record<string, string>;
}
const stages: Stage[] = [];
let health: string[] = [];
let command: string[] = [];

try {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
  for (const line of text.split('\n').filter((step) => step && !step.startsWith('#'))) step(line);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (command.join(' ') !== scripts.start)
    throw new Error('The Dockerfile starts something else than `npm start`.');
  await startAndAsk(stages.at(-1) as Stage);
} finally {
  rmSync(bare, { recursive: true, force: true });
}

function step(line: string): void {
  const [word = '', ...rest] = line.split(' ');
  const text = rest.join(' ');
  const stage = stages.at(-1) as Stage;
  if (word === 'FROM') {
    const name = rest[2] ?? 'image';
    const directory = join(bare, name);
    mkdirSync(join(directory, 'app'), { recursive: true });
    stages.push({ name, directory, env: {} });
  } else if (word === 'COPY') copy(stage, rest);
  else if (word === 'RUN' && !text.includes('chown')) run(stage, text);
  else if (word === 'ENV')
    for (const pair of rest) stage.env[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? '';
  else if (word === 'HEALTHCHECK') health = JSON.parse(text.slice(text.indexOf('[')));
  else if (word === 'CMD') command = JSON.parse(text);
}

function copy(stage: Stage, words: string[]): void {
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : null;
  const to = join(stage.directory, 'app', words.pop() ?? '');
  if (!from) {
    copyCheckout(to);
    return;
  }
  const source = stages.find(({ name }) => name === from) as Stage;
  for (const path of words) {
    const isFile = path.endsWith('.json');
    cpSync(join(source.directory, path), isFile ? join(to, basename(path)) : to, {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

function copyCheckout(to: string): void {
  const left = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  for (const path of listFiles())
    if (!left.includes(path.split('/')[0] ?? '')) cpSync(join(root, path), join(to, path));
  if (!isShort) return;
  for (const path of ['web/dist', 'server/.cache'])
    cpSync(join(root, path), join(to, path), { recursive: true });
  for (const path of ['node_modules', 'server/node_modules'])
    if (existsSync(join(root, path))) symlinkSync(join(root, path), join(to, path));
}

function run(stage: Stage, text: string): void {
  if (isShort) return;
  process.stdout.write(`RUN ${text}\n`);
  const { status } = spawnSync(text, {
    cwd: join(stage.directory, 'app'),
    shell: true,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${text} exited with ${status}.`);
  if (existsSync(join(stage.directory, 'app/node_modules/node/bin/node')))
    throw new Error(`${text} installed a Node for glibc, which the image does not have.`);
}

async function startAndAsk({ directory, env }: Stage): Promise<void> {
  const app = join(directory, 'app');
  const data = join(directory, 'data');
  const port = await freePort();
  const settings = {
    ...env,
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: data,
  };
  const before = listing(app);
  const product = spawn(process.execPath, command.slice(1), {
    cwd: app,
    env: settings,
    stdio: 'inherit',
  });
  const ended = once(product, 'exit');
  const isHealthy = () =>
    spawnSync(process.execPath, health.slice(1), { env: settings }).status === 0;
  while (!isHealthy()) {
    if (product.exitCode !== null) throw new Error('The product ended before it was healthy.');
    await wait(200);
  }
  product.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`The product stopped with ${code}.`);
  if (listing(app) !== before)
    throw new Error(
      'The product wrote outside /data, and the file system of the image is read-only.',
    );
  process.stdout.write(`healthy, and stopped with 0, on Node ${process.version}\n`);
  if (isShort) return;
  const { stdout } = spawnSync('du', ['-sm', app], { encoding: 'utf8' });
  const megabytes = Number.parseInt(stdout, 10);
  process.stdout.write(`/app has ${megabytes} MB\n`);
  if (megabytes > appMegabytesAtMost)
    throw new Error(`/app has more than ${appMegabytesAtMost} MB.`);
}

/** Each file with its size and when it was written. */
function listing(directory: string): string {
  const { stdout } = spawnSync('find', [directory, '-printf', '%p %s %T@\\n'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (!stdout.includes('main.ts')) throw new Error('find does not list the files of the image.');
  return stdout;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return String(port);
}
