import { type ApiClient, sheetOf, signInDemo, startBatch } from '../../harness/api-client.ts';
import { startOwnPostgres } from '../../harness/own-postgres.ts';
import {
  behave,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { startProxy, type TcpProxy } from '../../harness/proxy.ts';
import { modelToSave } from '../support/models.ts';
import { chosen, pass } from './totals.ts';

/** Of the rows per second of the other client before and after the fault. */
const ratioAtLeast = 0.95;
/** The model at its limit of 20 answers a second has 4 of the 64 calls at once. */
const limit = { model: 'limited', perMinute: 1_200, ratioAtLeast: 0.9 };
const concurrency = 64;
const latencyMilliseconds = 200;
/** Batches of the client whose provider fails. They press play every second. */
const batches = 10;
const rowsOfABatch = 2_000;

interface Fault {
  name: string;
  /** The provider is down for up to ten minutes. The others are refusals, which end batches. */
  isOutage: boolean;
  act(way: TcpProxy, chat: string): PromiseLike<unknown>;
}

/** Not a fault: the provider limits another model of the neighbour's key. */
const limitedModel: Fault = {
  name: 'another model of the key at its limit',
  isOutage: false,
  act: async () => {},
};

const faults: readonly Fault[] = [
  {
    name: 'connections refused',
    isOutage: true,
    act: (way) => way[Symbol.asyncDispose](),
  },
  {
    name: 'black hole',
    isOutage: true,
    act: async (way) => {
      way.state.isHole = true;
      way.silence();
    },
  },
  ...[500, 401, 400].map((status) => ({
    name: `${status} for everything`,
    isOutage: false,
    act: (_: TcpProxy, chat: string) => behave(chat, { status }),
  })),
  limitedModel,
];

interface Options {
  isShort: boolean;
  isPostgres: boolean;
  /** Names of faults; empty for all. */
  only?: readonly string[];
}

interface Stage {
  url: string;
  chat: string;
  /** The neighbour's provider. */
  own: string;
  operator: ApiClient;
  /** Their batch runs at a provider that is up. */
  neighbour: ApiClient;
  batchId: string;
  /** Their provider fails. */
  other: ApiClient;
}

/** The speed of one client's batch alone, beside a failing provider of another, and alone. */
export async function neighbours({ isShort, isPostgres, only = [] }: Options): Promise<string[]> {
  const wanted = chosen(faults, only);
  const aloneSeconds = isShort ? 10 : 30;
  const besideSeconds = ({ isOutage }: Fault) => (isShort ? 20 : isOutage ? 600 : 60);
  const total = wanted.reduce((sum, fault) => sum + 2 * aloneSeconds + besideSeconds(fault), 60);
  await using stack = new AsyncDisposableStack();
  const rows = Math.ceil((total * 1_000 * concurrency) / latencyMilliseconds);
  const stage = await open(stack, { rows, isPostgres });
  const misses: string[] = [];
  let before = await speed(stage, aloneSeconds);
  for (const fault of wanted) {
    const beside = await whileFailing(stage, fault, () => speed(stage, besideSeconds(fault)));
    const after = await speed(stage, aloneSeconds);
    const ratio = (2 * beside) / (before + after);
    const line =
      `${isPostgres ? 'PostgreSQL, two workers' : 'embedded'}, ${fault.name} for ${besideSeconds(fault)} s: ` +
      `rows/s ${[before, beside, after].map((rate) => rate.toFixed(1)).join(', ')}; ratio ${ratio.toFixed(3)}`;
    process.stdout.write(`${line}\n`);
    const least = fault === limitedModel ? limit.ratioAtLeast : ratioAtLeast;
    if (!(ratio >= least)) misses.push(line);
    before = after;
  }
  await stage.neighbour.call('stopFileProcessing', { id: stage.batchId });
  return misses;
}

async function open(
  stack: AsyncDisposableStack,
  { rows, isPostgres }: { rows: number; isPostgres: boolean },
): Promise<Stage> {
  const latency = ['--latency', `${latencyMilliseconds}`];
  const own = stack.use(await startFakeChatProcess(...latency));
  const chat = stack.use(await startFakeChatProcess(...latency));
  const env: Record<string, string> = {
    LOG_LEVEL: 'silent',
    CHAT_BASE_URL: own.url,
    CHAT_CONCURRENCY: `${concurrency}`,
    CHAT_LIMITS_PER: 'model',
  };
  const postgres = isPostgres ? stack.use(await startOwnPostgres()) : null;
  if (postgres) Object.assign(env, { DATABASE_URL: postgres.url, DEMO: 'off', NODE_ENV: 'test' });
  const directory = await prepareData(env);
  const start = async (roles: Record<string, string>) =>
    stack.use(await startProduct({ ...env, ...roles }, directory, { keeps: true }));
  const { url } = await start(postgres ? { SERVE: 'site,auth,plan,main' } : {});
  if (postgres) for (const _ of ['one', 'two']) await start({ SERVE: 'worker' });
  const neighbour = await signInDemo(url);
  return {
    url,
    chat: chat.url,
    own: own.url,
    operator: await signInDemo(url, 'operator'),
    neighbour,
    batchId: await startBatch(neighbour, rows),
    other: await signInDemo(url, 'bakery'),
  };
}

/** Rows per second in the middle part of some seconds. */
async function speed({ neighbour, batchId: id }: Stage, seconds: number): Promise<number> {
  const look = async () => ({
    answered: (await neighbour.call('getBatch', { id })).batch.answered,
    at: performance.now(),
  });
  await pass(seconds * 200);
  const from = await look();
  await pass(seconds * 700);
  const to = await look();
  await pass(seconds * 100);
  return ((to.answered - from.answered) * 1_000) / (to.at - from.at);
}

/** The provider of running batches fails, and they are resumed whenever they pause. */
async function whileFailing<T>(stage: Stage, fault: Fault, measure: () => Promise<T>): Promise<T> {
  const { chat, own, operator, other } = stage;
  await behave(chat, { status: null });
  await behave(own, { bucketPerMinute: limit.perMinute, limitedModel: limit.model });
  const way = await startProxy(new URL(chat));
  const model =
    fault === limitedModel
      ? await saveModel(operator, { name: limit.model, asked_as: limit.model })
      : await addModel(operator, fault.name, way.url);
  const file = await other.upload(sheetOf(rowsOfABatch));
  const ids: string[] = [];
  for (let number = 0; number < batches; number++)
    ids.push(await other.start(file, `Say {{Row}} in batch ${number}`, { model }));
  await fault.act(way, chat);
  let isOver = false;
  const playing = (async () => {
    while (!isOver) {
      for (const id of ids) await other.status('playOrPause', { id, status: 'play' });
      await pass(1_000);
    }
  })();
  const measured = await measure();
  isOver = true;
  await playing;
  for (const id of ids) await other.call('stopFileProcessing', { id });
  await way[Symbol.asyncDispose]();
  return measured;
}

async function addModel(operator: ApiClient, name: string, address: string): Promise<string> {
  const { provider } = await operator.call('saveProvider', {
    name,
    kind: 'openai',
    address,
    key: '',
    concurrency,
    is_enabled: true,
  });
  return saveModel(operator, { name: name.replaceAll(' ', '-'), provider_id: provider.id ?? '' });
}

async function saveModel(
  operator: ApiClient,
  added: { name: string; provider_id?: string; asked_as?: string },
): Promise<string> {
  const { model } = await operator.call('saveModel', {
    ...modelToSave,
    ...added,
    submissions_per_row: 0,
    options: [],
    offered_to: 'everyone',
  });
  return model.name;
}
