import { type AnswerMark, marksIn, type Output } from '@rowmill/contract';
import { describe, expect, it } from 'vitest';
import { AnswerMarker, type MarkedBatch } from './answer-marker.ts';
import { detectLanguage } from './language.ts';

const batch = (prompt: string, outputs: readonly Output[] = []): MarkedBatch => ({
  batchId: 'b',
  model: 'm',
  fixedParts: prompt.split('NAME'),
  outputs,
});

function marksOf(
  answer: string,
  { prompt = 'Describe the lamp NAME in a few words.', outputs = [] as readonly Output[] } = {},
) {
  const filled = prompt.replace('NAME', 'Oak 7');
  const { marks } = new AnswerMarker().mark(batch(prompt, outputs), {
    row: 0,
    answer,
    prompt: () => filled,
  });
  return marksIn(marks);
}

it.each<[string, AnswerMark[]]>([
  ['A warm light for every desk.', []],
  ['\u200b', ['empty']],
  ['I’m sorry, but I can’t assist with that.', ['refusal']],
  ['Leider kann ich diese Frage nicht beantworten.', ['refusal']],
  ['申し訳ありませんが、お答えできません。', ['refusal']],
  ['The guest writes: “I cannot help with that.”', []],
  ['I’m sorry to hear that your lamp arrived broken.', []],
  ['The lamp is made of oak. It stands on a small foot and has a shade made of', ['cut_off']],
  ['{"price": 4', ['cut_off']],
  ['```js\nconst price = 4;', ['cut_off']],
  ['- oak foot\n- glass shade\n- cable of two metres and a half, black', []],
  ['Describe the lamp Oak 7 in a few words.', ['echo']],
  ['Dear [Name], the lamp is yours.', ['placeholder']],
  ['Welcome, {{first_name}}!', ['placeholder']],
  ['Your order xxxx is on its way.', ['placeholder']],
  ['See [the drawing](https://example.com) and note [1].', []],
  ['function f({ a }) { return a[0]; }', []],
  ['Die Lampe passt auf jeden Tisch und ist sehr hell.', ['other_language']],
])('marks “%s” as %o', (answer, expected) => {
  expect(marksOf(answer)).toEqual(expected);
});

// One for each list of words that a refusal needs.
it.each([
  'I must decline to write about this topic.',
  'Ich kann diese Anfrage leider nicht bearbeiten.',
  'Il m’est impossible de décrire cet hôtel.',
  'No puedo proporcionar esa información.',
  'Non sono in grado di fornire queste informazioni.',
  'Desculpe, mas não posso ajudar com isso.',
  'Sorry, maar ik kan je daar niet mee helpen.',
  'Jag kan inte svara på den frågan.',
  'Desværre kan jeg ikke beskrive hotellet.',
  'Beklager, men jeg kan ikke hjelpe med det.',
  'Valitettavasti en voi auttaa tässä.',
  'Przykro mi, ale nie mogę w tym pomóc.',
  'Omlouvám se, ale s tímto nemohu pomoci.',
  'Sajnálom, de ebben nem tudok segíteni.',
  'Îmi pare rău, dar nu pot răspunde la această întrebare.',
  'Üzgünüm, bu konuda yardımcı olamam.',
  'К сожалению, я не могу помочь с этим запросом.',
  'На жаль, я не маю інформації про цей готель.',
  'Λυπάμαι, αλλά δεν μπορώ να βοηθήσω.',
  'عذرًا، لا أستطيع مساعدتك في ذلك.',
  'क्षमा करें, मैं इसमें सहायता नहीं कर सकता।',
  'Maaf, saya tidak dapat membantu.',
  'Xin lỗi, tôi không thể giúp bạn việc này.',
  '죄송하지만 도와드릴 수 없습니다.',
  '抱歉，我无法提供这家酒店的介绍。',
])('marks the refusal “%s”', (answer) => {
  expect(marksOf(answer)).toEqual(['refusal']);
});

describe('the language of an answer', () => {
  const german = 'Die Lampe passt auf jeden Tisch und ist sehr hell.';

  it.each<[string, string, AnswerMark[]]>([
    ['Describe NAME in German.', german, []],
    ['Describe NAME in French.', german, ['other_language']],
    ['Beschreibe die Lampe NAME in wenigen Worten.', german, []],
    ['Translate NAME.', german, []],
    ['The review is in German. Describe it in English: NAME', german, ['other_language']],
  ])('is compared with what “%s” asks for', (prompt, answer, expected) => {
    expect(marksOf(answer, { prompt })).toEqual(expected);
  });

  it('may be that of the row', () => {
    const prompt = 'Correct the spelling of this text: NAME';
    const row = 'Die Lampe past auf jeden Tisch und ist ser hell.';
    const { marks } = new AnswerMarker().mark(batch(prompt), {
      row: 0,
      answer: german,
      prompt: () => prompt.replace('NAME', row),
    });
    expect(marksIn(marks)).toEqual([]);
  });
});

it('marks an answer that was brought to the list', () => {
  const outputs: Output[] = [{ name: 'kind', type: 'choice', options: ['Praise', 'Question'] }];
  expect(marksOf('{"kind":"Praise"}', { outputs })).toEqual([]);
  expect(marksOf('{"kind":"praise."}', { outputs })).toEqual(['off_list']);
  const several: Output[] = [{ name: 'kinds', type: 'choices', options: ['Praise', 'Question'] }];
  expect(marksOf('{"kinds":["Praise","Question"]}', { outputs: several })).toEqual([]);
  expect(marksOf('{"kinds":"praise, Question"}', { outputs: several })).toEqual(['off_list']);
});

/** The marks of many answers of one batch by row, those given later included. */
function marksOfAll(answers: readonly string[], prompts = answers.map((_, row) => `lamp ${row}`)) {
  const marker = new AnswerMarker();
  const given = answers.map((answer, row) => {
    const prompt = () => prompts[row] ?? '';
    return { ...marker.mark(batch('Describe NAME'), { row, answer, prompt }), row };
  });
  const rows = given.map(({ marks }) => marksIn(marks));
  for (const { earlier } of given)
    for (const { mark, rows: more } of earlier) for (const row of more) rows[row]?.push(mark);
  return rows;
}

it('marks all of many answers that differ in a name only, and not for equal prompts', () => {
  const answers = Array.from(
    { length: 6 },
    (_, row) =>
      `The lamp number ${row} is a great product that fits the whole family and every desk.`,
  );
  expect(marksOfAll(answers)).toEqual(answers.map(() => ['nearly_identical']));
  expect(
    marksOfAll(
      answers,
      answers.map(() => 'the same'),
    ),
  ).toEqual(answers.map(() => []));
});

it('marks answers far from the usual length, also among the first', () => {
  const usual = Array.from(
    { length: 60 },
    (_, row) => `Lamp ${row} ${'x'.repeat(80 + (row % 7))}.`,
  );
  const answers = ['Yes.', ...usual, 'y'.repeat(5_000)];
  const marked = marksOfAll(answers).flatMap((marks, row) =>
    marks.includes('unusual_length') ? [row] : [],
  );
  expect(marked).toEqual([0, 61]);
});

it.each([
  ['The lamp is made of oak and the shade of glass.', 'en'],
  ['Lampe aus Eiche mit einem Schirm aus Glas', 'de'],
  ['Lampa jest zrobiona z dębu i ma szklany klosz.', 'pl'],
  ['Лампа сделана из дуба, и это очень хорошо для стола.', 'ru'],
  ['这盏灯是橡木做的。', 'zh'],
  ['ランプはオーク材です。', 'ja'],
  ['IKEA 4711-AB, Graz', null],
  ['const a = [1, 2, 3];', null],
])('finds the language of “%s”', (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

describe('hostile answers', () => {
  const hostile = [
    'a'.repeat(1_000_000),
    'i '.repeat(500_000),
    "i'm sorry ".repeat(100_000),
    `i am an ai ${' '.repeat(1_000_000)}`,
    'e\u0301'.repeat(500_000),
    `e${'\u0301'.repeat(1_000_000)}`,
    '[['.repeat(400_000),
    '{{'.repeat(400_000),
    '```'.repeat(300_000),
    '<your'.repeat(200_000),
    `{"a":${'['.repeat(900_000)}`,
    '。'.repeat(900_000),
    '\u200b'.repeat(900_000),
    `${'_'.repeat(900_000)}[`,
    'https://'.repeat(100_000),
  ];

  it('take no more time when they are long', () => {
    const marker = new AnswerMarker();
    const before = process.cpuUsage();
    for (const [row, answer] of hostile.entries())
      marker.mark(batch('Describe NAME'), { row, answer, prompt: () => answer });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / hostile.length).toBeLessThan(200);
  });
});

describe('answers that others have stored', () => {
  const lamp = batch('Describe the lamp NAME in a few words.');
  const answerOf = (row: number, answer: string) => ({
    row,
    answer,
    prompt: () => `Describe the lamp ${row} in a few words.`,
  });
  const same = 'A warm and quiet light that suits each desk, shelf and table of a house.';

  it('report what is unusual, and get the marks that they miss', () => {
    const marker = new AnswerMarker();
    const short = Array.from({ length: 60 }, (_, row) => answerOf(row, `Oak number ${row}.`));
    const alike = [60, 61, 62, 63].map((row) => answerOf(row, same));
    marker.recall(lamp, [...short, ...alike]);
    const long = marker.mark(lamp, answerOf(64, `${'Oak and brass. '.repeat(90)}Fine.`));
    expect(marksIn(long.marks)).toContain('unusual_length');
    const last = marker.mark(lamp, answerOf(65, same));
    expect(marksIn(last.marks)).toContain('nearly_identical');
    expect(last.earlier.find(({ mark }) => mark === 'nearly_identical')?.rows).toEqual([
      60, 61, 62, 63,
    ]);
  });

  it('say nothing about another batch', () => {
    const marker = new AnswerMarker();
    marker.recall(
      lamp,
      [1, 2, 3, 4, 5, 6].map((row) => answerOf(row, same)),
    );
    const { marks, earlier } = marker.mark({ ...lamp, batchId: 'c' }, answerOf(7, same));
    expect([marksIn(marks), earlier]).toEqual([[], []]);
  });
});
