const password = 'rowmill-demo';
const day = 86_400_000;

/** Ids of today's batches: the client's in each state, the admin's that need a provider. */
export type Scene = Record<
  'completed' | 'running' | 'paused' | 'stopped' | 'typed' | 'failed' | 'refused' | 'noCapacity',
  string
>;

interface NewBatch {
  name: string;
  rows: readonly string[];
  question: string;
  /** The model, the answer columns and the deadline. */
  options?: object;
}

/** The addresses of the providers of `startMoreProviders`. */
export type MoreProviders = Record<'working' | 'refusing', { url: string }>;

/** The parts of the answers that are used here. */
interface Answer {
  user_token: string;
  file: { id: string };
  batch: { id: string; state: string };
  provider: { id: string };
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

/** A week of finished batches, one of today in each state, and what providers do to batches. */
export async function prepareScene(
  url: string,
  clock: { ahead: number },
  providers: MoreProviders,
): Promise<Scene> {
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
  return { ...(await startToday(url)), ...(await startForAdmin(url, providers)) };
}

async function addProviders(post: Post, { working, refusing }: MoreProviders): Promise<void> {
  const add = async (name: string, label: string, { url }: { url: string }, position: number) => {
    const saved = { name: label, kind: 'openai', address: url, concurrency: 16, is_enabled: true };
    const { provider } = await post('/api/saveProvider', saved);
    await post('/api/saveModel', {
      name,
      provider_id: provider.id,
      asked_as: 'fake-small',
      label: `${label} small`,
      submissions_per_row: 2,
      price_tokens: 1_000,
      answer_tokens: 400,
      input_cost: 2_500_000,
      cached_cost: 250_000,
      output_cost: 10_000_000,
      options: ['system', 'temperature', 'max_tokens', 'outputs', 'stop', 'reasoning_effort'],
      offered_to: 'admins',
      has_flex: true,
      fallback: null,
      position,
    });
  };
  await add('acme', 'Acme models', working, 2);
  await add('other', 'Other provider', refusing, 3);
}

const reviews = [
  ['Arran teapot', '5', 'Five stars. My mother uses it every day.'],
  ['Bellwood desk lamp', '2', 'Broke after three weeks. Support did not answer my two emails.'],
  ['Calder rain jacket', '3', 'Colour is a bit darker than in the picture, but it keeps me dry.'],
  ['Elm serving board', '1', '"Handmade", they say, and it came with a barcode burnt into it.'],
  ['Fennel trowel', '4', 'Solid tool, the handle could be longer.'],
  ['Dunmore blanket', '', 'n/a'],
] as const;

async function startForAdmin(
  url: string,
  providers: MoreProviders,
): Promise<Pick<Scene, 'typed' | 'failed' | 'refused' | 'noCapacity'>> {
  const post = await signIn(url, 'admin@demo.test');
  const rows = (mark = '') => [
    'review_id,product,rating,review_text',
    ...Array.from({ length: 30 }, (_, index) => {
      const [product, rating, text] = reviews[index % reviews.length] ?? [];
      return `R-${1041 + index},${product},${rating},"${text?.replaceAll('"', '""')}${mark}"`;
    }),
  ];
  const judge = 'Judge this review of {{product}}: {{review_text}}';
  const outputs = [
    { name: 'sentiment', type: 'choice', options: ['positive', 'neutral', 'negative'] },
    { name: 'score', type: 'integer', description: 'From 1 to 5' },
    { name: 'reason', type: 'text' },
    { name: 'wants an answer', type: 'boolean' },
  ];
  const typed = await start(post, {
    name: 'product-reviews.csv',
    rows: rows(),
    question: judge,
    options: { outputs },
  });
  await finish(post, typed);
  await post('judgeAnswers', { id: typed, rows: [0, 2, 4], judgement: 'right' });
  await post('judgeAnswers', { id: typed, rows: [1], judgement: 'wrong', note: 'They complain.' });
  const failed = await start(post, {
    name: 'reviews-of-spring.csv',
    rows: rows(' [[fail]]'),
    question: judge,
  });
  await finish(post, failed);
  // The demo model is there only while no other one is.
  await addProviders(await signIn(url, 'operator@demo.test'), providers);
  const counted = { rows: rows(), question: judge, options: { model: 'acme' } };
  await finish(post, await start(post, { name: 'reviews-of-autumn.csv', ...counted }));
  const byTomorrow = new Date(Date.now() + day).toISOString();
  const [noCapacity, refused] = [
    await start(post, {
      name: 'reviews-by-tomorrow.csv',
      rows: rows(),
      question: judge,
      options: { model: 'acme', finish_by: byTomorrow },
    }),
    await start(post, {
      name: 'reviews-refused.csv',
      rows: rows(),
      question: judge,
      options: { model: 'other' },
    }),
  ];
  await untilState(post, noCapacity, 'paused');
  await untilState(post, refused, 'paused');
  return { typed, failed, refused, noCapacity };
}

async function startToday(
  url: string,
): Promise<Omit<Scene, 'typed' | 'failed' | 'refused' | 'noCapacity'>> {
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

async function start(post: Post, { name, rows, question, options }: NewBatch): Promise<string> {
  const body = new FormData();
  body.append('file', new File([rows.join('\n')], name, { type: 'text/csv' }));
  const { file } = await post('saveFile', body);
  const query = { file: file.id, start: true, ...options };
  const { batch } = await post('askChatGpt', { questionWithVariable: question, query });
  return batch.id;
}

const finish = (post: Post, id: string) => untilState(post, id, 'completed');

async function untilState(post: Post, id: string, state: string): Promise<void> {
  for (;;) {
    const { batch } = await post('getBatch', { id });
    if (batch.state === state) return;
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
    const response = await fetch(`${url}${path.startsWith('/') ? path : `/api/emedia/${path}`}`, {
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
