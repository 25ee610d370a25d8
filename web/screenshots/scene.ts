import type { Output, RequestOf, saveProvider } from '@rowmill/contract';
import { type ApiClient, signInDemo } from '../../server/harness/api-client.ts';

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
  options?: Parameters<ApiClient['start']>[2];
}

/** The addresses of the providers of `startMoreProviders`. */
export type MoreProviders = Record<'working' | 'refusing', { url: string }>;

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
    const person = await signInDemo(url);
    const rows = productRows(count, index % 2 ? 0 : 3);
    await person.whenEnded(await start(person, { name, rows, question: catalogue }), 100);
  }
  clock.ahead = 0;
  return { ...(await startToday(url)), ...(await startForAdmin(url, providers)) };
}

async function addProviders(
  person: ApiClient,
  { working, refusing }: MoreProviders,
): Promise<void> {
  const add = async (name: string, label: string, { url }: { url: string }, position: number) => {
    const saved: RequestOf<typeof saveProvider> = {
      name: label,
      kind: 'openai',
      address: url,
      concurrency: 16,
      is_enabled: true,
    };
    const { provider } = await person.call('saveProvider', saved);
    await person.call('saveModel', {
      name,
      provider_id: provider.id ?? null,
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
  const person = await signInDemo(url, 'admin');
  const rows = (mark = '') => [
    'review_id,product,rating,review_text',
    ...Array.from({ length: 30 }, (_, index) => {
      const [product, rating, text] = reviews[index % reviews.length] ?? [];
      return `R-${1041 + index},${product},${rating},"${text?.replaceAll('"', '""')}${mark}"`;
    }),
  ];
  const judge = 'Judge this review of {{product}}: {{review_text}}';
  const outputs: Output[] = [
    { name: 'sentiment', type: 'choice', options: ['positive', 'neutral', 'negative'] },
    { name: 'score', type: 'integer', description: 'From 1 to 5' },
    { name: 'reason', type: 'text' },
    { name: 'wants an answer', type: 'boolean' },
  ];
  const typed = await start(person, {
    name: 'product-reviews.csv',
    rows: rows(),
    question: judge,
    options: { outputs },
  });
  await person.whenEnded(typed, 100);
  await person.call('judgeAnswers', { id: typed, rows: [0, 2, 4], judgement: 'right' });
  await person.call('judgeAnswers', {
    id: typed,
    rows: [1],
    judgement: 'wrong',
    note: 'They complain.',
  });
  const failed = await start(person, {
    name: 'reviews-of-spring.csv',
    rows: rows(' [[fail]]'),
    question: judge,
  });
  await person.whenEnded(failed, 100);
  // The demo model is there only while no other one is.
  await addProviders(await signInDemo(url, 'operator'), providers);
  const counted = { rows: rows(), question: judge, options: { model: 'acme' } };
  await person.whenEnded(await start(person, { name: 'reviews-of-autumn.csv', ...counted }), 100);
  const byTomorrow = new Date(Date.now() + day).toISOString();
  const [noCapacity, refused] = [
    await start(person, {
      name: 'reviews-by-tomorrow.csv',
      rows: rows(),
      question: judge,
      options: { model: 'acme', finish_by: byTomorrow },
    }),
    await start(person, {
      name: 'reviews-refused.csv',
      rows: rows(),
      question: judge,
      options: { model: 'other' },
    }),
  ];
  await whenPaused(person, noCapacity);
  await whenPaused(person, refused);
  return { typed, failed, refused, noCapacity };
}

async function startToday(
  url: string,
): Promise<Omit<Scene, 'typed' | 'failed' | 'refused' | 'noCapacity'>> {
  const person = await signInDemo(url);
  const completed = await start(person, {
    name: 'spring-catalogue.csv',
    rows: productRows(60, 3),
    question: catalogue,
  });
  await person.whenEnded(completed, 100);
  const slow = (name: string, count: number) =>
    start(person, {
      name,
      rows: productRows(count, 0, ' [[slow]]'),
      question: 'Which audience would buy {{Name}}, and why?',
    });
  const stopped = await slow('customer-reviews.csv', 60);
  await person.call('stopFileProcessing', { id: stopped });
  const paused = await slow(
    'Kundenbewertungen_Herbst-Winter_final_v3_(überarbeitet)_ohne-Duplikate.csv',
    40,
  );
  await person.call('playOrPause', { id: paused, status: 'pause' });
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

async function start(person: ApiClient, { name, rows, question, options }: NewBatch) {
  const file = await person.upload(new File([rows.join('\n')], name, { type: 'text/csv' }));
  return person.start(file, question, options);
}

async function whenPaused(person: ApiClient, id: string): Promise<void> {
  while ((await person.call('getBatch', { id })).batch.state !== 'paused')
    await new Promise((resolve) => setTimeout(resolve, 100));
}
