import { Socket } from 'node:net';
import { endpoints } from '@rowmill/contract';
import { type ApiClient, signInDemo } from '../../harness/api-client.ts';
import { median } from '../../harness/figures.ts';
import { behave } from '../../harness/processes.ts';
import {
  type Cluster,
  type MachineName,
  openCluster,
  resourcesOf,
  usualLatency,
} from './cluster.ts';
import { checkEnd } from './several-machines.ts';
import { pass } from './totals.ts';

/** These live through the whole soak, and the others are killed. */
const measured = ['api-1', 'worker-1'] as const satisfies readonly MachineName[];
const growthAtMost = 1.05;
/** A pooled connection or a log file may be open at one count and not at the other. */
const fileMargin = 2;
const recoversWithinSeconds = 90;
const faultSeconds = 15;

type Fault = (cluster: Cluster) => Promise<unknown>;
const fault = async (cluster: Cluster, change: object, back: object) => {
  await behave(cluster.chat.url, change);
  await pass(faultSeconds * 1_000);
  await behave(cluster.chat.url, back);
};

const faults: Record<string, Fault> = {
  'worker killed': (cluster) => cluster.killAndRestart('worker-2', () => pass(1_000)),
  'slow clients': (cluster) => slowClients(cluster),
  'refused calls': (cluster) => fault(cluster, { share429: 0.1 }, { share429: 0 }),
  'API process killed': (cluster) => cluster.killAndRestart('api-2', () => pass(1_000)),
  'broken calls': (cluster) => fault(cluster, { shareFailing: 0.2 }, { shareFailing: 0 }),
  'worker frozen': async ({ machines }) => {
    machines['worker-2'].child.process.kill('SIGSTOP');
    await pass(2 * faultSeconds * 1_000);
    machines['worker-2'].child.process.kill('SIGCONT');
  },
  'connections cut': async ({ machines }) => {
    for (const { way } of Object.values(machines)) way.cut();
  },
  'slow provider': (cluster) => fault(cluster, { latency: 3_000 }, { latency: usualLatency }),
  'PostgreSQL killed': ({ postgres }) => postgres.killAndRestart(),
  'provider away': (cluster) => fault(cluster, { down: true }, { down: false }),
};

/** An hour or more of kills, faults and slow clients. Memory stays flat, no handle leaks. */
export async function soak(minutes: number): Promise<string[]> {
  await using stack = new AsyncDisposableStack();
  const cluster = await openCluster(stack);
  let isOver = false;
  const feeding = cluster.feed(() => isOver);
  const until = performance.now() + minutes * 60_000;
  await oneRound(cluster);
  const before = filesOf(cluster);
  const samples = measured.map(() => [] as number[]);
  const sampling = (async () => {
    while (!isOver) {
      for (const [index, name] of measured.entries())
        samples[index]?.push(resourcesOf(cluster.machines[name]).megabytes);
      await pass(5_000);
    }
  })();
  while (performance.now() < until) {
    await oneRound(cluster);
    const left = Math.max(0, Math.round((until - performance.now()) / 60_000));
    const memory = samples.map((all) => Math.round(all.at(-1) ?? 0)).join(' and ');
    const stored = await cluster.storedRows();
    process.stdout.write(`${left} minutes left: ${memory} MB, ${stored} rows stored\n`);
  }
  isOver = true;
  await Promise.all([feeding, sampling]);
  const ended = await checkEnd(cluster);
  return [
    ...measured.flatMap((name, index) => grown(name, samples[index] ?? [])),
    ...(await leaked(cluster, before)),
    ...ended,
  ];
}

async function oneRound(cluster: Cluster): Promise<void> {
  for (const inject of Object.values(faults)) {
    await inject(cluster);
    const stored = await cluster.storedRows();
    while ((await cluster.storedRows()) === stored) await pass(500);
  }
}

/** The median of the last fifth against that of the second. Too few samples count as growth. */
export function grown(name: string, samples: readonly number[]): string[] {
  const fifth = Math.floor(samples.length / 5);
  const early = median(samples.slice(fifth, 2 * fifth));
  const late = median(samples.slice(-fifth));
  const line = `${name}: ${early.toFixed(0)} MB early, ${late.toFixed(0)} MB late, ${(late / early).toFixed(3)} times`;
  process.stdout.write(`${line}\n`);
  return late / early <= growthAtMost ? [] : [line];
}

const filesOf = ({ machines }: Cluster) =>
  measured.map((name) => resourcesOf(machines[name]).files);

async function leaked(cluster: Cluster, before: readonly number[]): Promise<string[]> {
  const isLeaking = (now: readonly number[]) =>
    now.some((files, index) => files > (before[index] ?? 0) + fileMargin);
  let now = filesOf(cluster);
  for (let second = 0; second < recoversWithinSeconds && isLeaking(now); second++) {
    await pass(1_000);
    now = filesOf(cluster);
  }
  const line = `open files of ${measured.join(' and ')}: ${before.join(' and ')} before, ${now.join(' and ')} after`;
  process.stdout.write(`${line}\n`);
  return isLeaking(now) ? [line] : [];
}

/** Ten clients that ask for a stream, a result file or an upload and then stop reading. */
async function slowClients(cluster: Cluster): Promise<void> {
  const { url } = cluster.machines['api-1'].child;
  const client = await signInDemo(url).catch(() => null);
  if (!client) return;
  const { id } = await cluster.ask('select id from batches order by created_at limit 1');
  const requests = [stream(client), download(client, String(id)), upload(client)];
  const sockets = Array.from({ length: 9 }, (_, index) =>
    hold(url, requests[index % requests.length] ?? ''),
  );
  await pass(faultSeconds * 1_000);
  for (const socket of sockets) socket.destroy();
}

function hold(url: string, request: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = new Socket();
  socket.on('error', () => {});
  return socket.connect(Number(port), hostname, () => socket.write(request));
}

const head = (client: ApiClient, first: string, ...rest: string[]) =>
  [`${first} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${client.token}`, ...rest].join(
    '\r\n',
  );

const stream = (client: ApiClient) => `${head(client, `GET ${endpoints.events.path}`)}\r\n\r\n`;

function download(client: ApiClient, id: string): string {
  const body = JSON.stringify({ file: id, format: 'csv' });
  const length = `content-length: ${body.length}`;
  const type = 'content-type: application/json';
  return `${head(client, `POST ${endpoints.downloadChatGptResponse.path}`, type, length)}\r\n\r\n${body}`;
}

function upload(client: ApiClient): string {
  const type = 'content-type: multipart/form-data; boundary=x';
  const part =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nRow\nrow 1\n';
  return `${head(client, `POST ${endpoints.saveFile.path}`, type, 'content-length: 50000000')}\r\n\r\n${part}`;
}
