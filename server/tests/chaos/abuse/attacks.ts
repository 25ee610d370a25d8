import { connect, type Socket } from 'node:net';
import { endpoints } from '@rowmill/contract';
import type { ApiClient } from '../../../harness/api-client.ts';

/** What an attack works with: a batch and sheets of the attacker. */
export interface Target {
  url: string;
  attacker: ApiClient;
  batchId: string;
  sheetId: string;
  /** 60 rows of 20,000 characters. */
  bombSheetId: string;
  /** 200,000 rows of 30 characters. */
  tallSheetId: string;
  /** Of the attacker so far. */
  calls: number;
}

/** One step of an attack, repeated by several callers at once until the measurement ends. */
export interface Attack {
  name: string;
  callers: number;
  /** The bound for each call of the attacker itself. */
  answeredWithinMilliseconds?: number;
  /** A busy machine answers so slowly that a bound may be met only after the measurement. */
  goesOnUntil?: number;
  step(target: Target, caller: number): Promise<number>;
}

const attack = (name: string, callers: number, step: Attack['step']): Attack => ({
  name,
  callers,
  step,
});
/** Its own calls have a bound too. */
const bounded = (...given: Parameters<typeof attack>): Attack => ({
  ...attack(...given),
  answeredWithinMilliseconds: 2_000,
});

const ask = ({ attacker, sheetId }: Target, question: string, query: object = { quote: true }) =>
  attacker.status('askChatGpt', {
    questionWithVariable: question,
    query: { file: sheetId, ...query },
  });
const uses = [{ quote: true }, { preview: 5 }, { start: true }];

const single: readonly Attack[] = [
  // A prompt would have 400 MB.
  bounded('prompt bombs', 4, (target) =>
    ask(
      { ...target, sheetId: target.bombSheetId },
      '{{a}}'.repeat(20_000),
      uses[target.calls % uses.length],
    ),
  ),
  bounded('runs of braces', 4, (target) =>
    ask(target, target.calls % 2 ? `{{${' '.repeat(90_000)}x` : '{{'.repeat(50_000)),
  ),
  attack('hostile texts of the provider', 2, (target) => {
    const faults = ['huge', 'nul', 'badutf8', 'surrogate', 'html', 'truncated'];
    const fault = faults[target.calls % (faults.length + 1)];
    // The last one repeats the prompt in a refusal.
    const question = fault ? `[[${fault}]] {{Row}}` : `[[status 400]] {{Row}}${'x'.repeat(90_000)}`;
    return ask(target, `${question} ${target.calls}`, { start: true });
  }),
  attack('uploads held open', 40, holdUpload),
  attack('heavy imports', 4, async ({ attacker }) =>
    // A refused upload ends before all of it is sent.
    readAll(await attacker.send(heavySheet()).catch(() => null)),
  ),
  attack('event streams', 60, holdStream),
  attack('downloads', 20, async ({ attacker, batchId }) =>
    readAll(await attacker.download(batchId, 'xlsx').catch(() => null)),
  ),
  attack('searches', 20, ({ attacker }) =>
    attacker.status('getQuestionsAsked', { search: '%_a'.repeat(20), start: 0, limit: 100 }),
  ),
  attack('searched and sorted rows', 200, ({ attacker, batchId, calls }) =>
    attacker.status('getRows', {
      id: batchId,
      // Never the same, so that nothing is cached.
      conditions: Array.from({ length: 8 }, (_, index) => ({
        column: 'answer 0',
        is: 'contains',
        value: `${'%_a'.repeat(20)} ${calls} ${index}`,
      })),
      sort: { column: 'sheet 0', order: 'descending' },
      count: 'answer 0',
    }),
  ),
  attack('judgements', 200, ({ attacker, batchId, calls }) => {
    const rows = Array.from({ length: 1_000 }, (_, row) => row);
    return attacker.status('judgeAnswers', { id: batchId, rows, note: `${calls} `.repeat(80) });
  }),
  attack('large variables', 200, ({ attacker, calls }) => {
    const variable = { name: 'v', value: `${calls} `.repeat(3_000) };
    return attacker.status('saveVariable', { variable });
  }),
  // Each prompt would have 300 kB. Its row is stored as failed.
  attack('rows that fail for free', 20, (target) =>
    ask({ ...target, sheetId: target.tallSheetId }, `${'{{a}}'.repeat(10_000)} ${target.calls}`, {
      start: true,
    }),
  ),
  attack('arrangements of columns', 200, ({ attacker, sheetId, calls }) => {
    const hidden = Array.from({ length: 2_000 }, (_, column) => `sheet ${column} ${calls}`);
    const view = { hidden, order: [], widths: {}, isWrapped: true, isFrozen: false };
    return attacker.status('changeSheetView', { id: sheetId, view });
  }),
  attack('exports', 5, ({ attacker }) => attacker.status('exportUserData', {})),
  attack('sign-in floods', 20, ({ attacker, calls }) =>
    attacker.status('login', { email: `guess-${calls}@example.test`, password: 'not it at all' }),
  ),
];

/** Each alone, then all together: then each caller makes another one. */
export const attacks: readonly Attack[] = [
  ...single,
  {
    ...attack('all at once', 30, (target, caller) =>
      (single[caller % single.length] as Attack).step(target, caller),
    ),
    goesOnUntil: 429,
  },
];

let heavy: Blob | undefined;

/** 50 MB with 25,000,000 cells of one character, the form that takes longest to import. */
function heavySheet(): Blob {
  const header = Array.from({ length: 100 }, (_, column) => `c${column}`).join(',');
  heavy ??= new Blob([`${header}\n`, `${'a,'.repeat(99)}b\n`.repeat(250_000)]);
  return heavy;
}

/** Sends the head and the first bytes of an upload, and no more, for two seconds. */
function holdUpload({ url, attacker }: Target): Promise<number> {
  const head = [
    `POST ${endpoints.saveFile.path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${attacker.token}`,
    'content-type: multipart/form-data; boundary=x',
    'content-length: 50000000',
  ];
  const body =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nRow\nrow 1\n';
  return holdOpen(url, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function holdStream({ url, attacker }: Target): Promise<number> {
  const head = [
    `GET ${endpoints.events.path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${attacker.token}`,
  ];
  return holdOpen(url, `${head.join('\r\n')}\r\n\r\n`);
}

const heldMilliseconds = 2_000;

/** Returns the status of an answer that came meanwhile, and 0 otherwise. */
function holdOpen(url: string, request: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let status = 0;
    const socket: Socket = connect(Number(port), hostname, () => socket.write(request));
    const timer = setTimeout(() => socket.destroy(), heldMilliseconds);
    socket.on('data', (data) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1] ?? status);
      if (status >= 400) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(status);
    });
  });
}

async function readAll(response: Response | null): Promise<number> {
  await response?.arrayBuffer().catch(() => null);
  return response?.status ?? 0;
}
