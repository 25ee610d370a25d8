const password = 'rowmill-demo';
const day = 86_400_000;

/** Ids of today's batches, one in each state. */
export type Scene = Record<'completed' | 'running' | 'paused' | 'stopped', string>;

interface NewBatch {
  name: string;
  rows: readonly string[];
  question: string;
}

/** The parts of the answers that are used here. */
interface Answer {
  user_token: string;
  file: { id: string };
  batch: { id: string; state: string };
}

type Post = (path: string, body: FormData | object) => Promise<Answer>;

const catalogue = 'Write one inviting sentence about {{Name}}, made of {{Material}}.';
const products = [
  ['Arran teapot', 'glazed stoneware'],
  ['Bellwood desk lamp', 'brass and linen'],
  ['Calder rain jacket', 'recycled nylon'],
  ['Dunmore wool blanket', 'lambswool'],
  ['Elm serving board', 'oiled elm'],
  ['Fennel garden trowel', 'ash and steel'],
  ['Glenfield backpack', 'waxed cotton'],
  ['Harbour notebook', 'recycled paper'],
] as const;

/** A week of finished batches, and one of today in each state. */
export async function prepareScene(url: string, clock: { ahead: number }): Promise<Scene> {
  const week = [
    ['product-names.csv', 64],
    ['product-names-2.csv', 38],
    ['shop-titles.csv', 120],
    ['alt-texts.csv', 85],
    ['newsletter-subjects.csv', 46],
  ] as const;
  for (const [index, [name, count]] of week.entries()) {
    clock.ahead = (index - week.length) * day;
    const post = await signIn(url, 'client@demo.test');
    await finish(
      post,
      await start(post, { name, rows: productRows(count, index % 2 ? 0 : 3), question: catalogue }),
    );
  }
  clock.ahead = 0;
  return startToday(url);
}

async function startToday(url: string): Promise<Scene> {
  const post = await signIn(url, 'client@demo.test');
  const completed = await start(post, {
    name: 'spring-catalogue.csv',
    rows: productRows(60, 3),
    question: catalogue,
  });
  await finish(post, completed);
  const slow = (name: string, count: number) =>
    start(post, {
      name,
      rows: productRows(count, 0, ' [[slow]]'),
      question: 'Which audience would buy {{Name}}, and why?',
    });
  const stopped = await slow('customer-reviews.csv', 60);
  await post('stopFileProcessing', { id: stopped });
  const paused = await slow(
    'Kundenbewertungen_Herbst-Winter_final_v3_(überarbeitet)_ohne-Duplikate.csv',
    40,
  );
  await post('playOrPause', { id: paused, status: 'pause' });
  const running = await slow('autumn-catalogue.csv', 400);
  return { completed, running, paused, stopped };
}

function productRows(count: number, failing: number, mark = ''): string[] {
  const rows = Array.from({ length: count }, (_, index) => {
    const [name, material] = products[index % products.length] ?? ['', ''];
    const fails = index > 0 && index % 17 === 0 && index / 17 <= failing;
    return `SKU-${String(index + 1).padStart(4, '0')},${name} ${index + 1}${mark}${fails ? ' [[fail]]' : ''},${material}`;
  });
  return ['Code,Name,Material', ...rows];
}

async function start(post: Post, { name, rows, question }: NewBatch): Promise<string> {
  const body = new FormData();
  body.append('file', new File([rows.join('\n')], name, { type: 'text/csv' }));
  const { file } = await post('saveFile', body);
  const query = { file: file.id, start: true };
  const { batch } = await post('askChatGpt', { questionWithVariable: question, query });
  return batch.id;
}

async function finish(post: Post, id: string): Promise<void> {
  for (;;) {
    const { batch } = await post('getBatch', { id });
    if (batch.state === 'completed') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function signIn(url: string, email: string): Promise<Post> {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const { user_token } = await answerOf(
    await fetch(`${url}/api/login`, { method: 'POST', headers: json, body }),
  );
  return async (path, sent) => {
    const isForm = sent instanceof FormData;
    const headers = { authorization: `Bearer ${user_token}`, ...(isForm ? {} : json) };
    const response = await fetch(`${url}/api/emedia/${path}`, {
      method: 'POST',
      headers,
      body: isForm ? sent : JSON.stringify(sent),
    });
    return answerOf(response);
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${text}`);
  return JSON.parse(text);
}
