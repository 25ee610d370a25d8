import { completion, failure, type Question, textFor } from './answers.ts';

/** One call as a fault sees it. */
export interface Stage {
  question: Question;
  /** Ends the call with a whole answer. */
  answer(status: number, body: string | Buffer, headers?: Record<string, string>): void;
  /** Sends the head of an answer, and pieces of a body that never ends. */
  begin(): void;
  write(piece: string): void;
  /** Puts bytes on the wire as they are. */
  raw(bytes: string): void;
  reset(): void;
  /** Does something later, unless the connection is gone by then. */
  after(milliseconds: number, act: () => void): void;
  /** Does something when the fake is told to let go, unless the connection is gone by then. */
  hold(act: () => void): void;
}

type Fault = (stage: Stage, ...words: string[]) => void;

const hugeCharacters = 2_000_000;
const dripMilliseconds = 1_000;

/** What `[[name words…]]` in a prompt does to its call. Of two names that fit, the later counts. */
const faults: Readonly<Record<string, Fault>> = {
  status: (stage, code = '500') => stage.answer(Number(code), failure(Number(code))),
  429: (stage, header = 'retry-after', ...value) =>
    stage.answer(429, failure(429), value.length > 0 ? { [header]: value.join(' ') } : {}),
  quota: (stage) => stage.answer(429, failure(429, 'insufficient_quota')),
  empty: (stage) => stage.answer(200, completion(stage.question, { content: '' })),
  length: (stage) =>
    stage.answer(200, completion(stage.question, { content: 'Answer to', finishReason: 'length' })),
  filter: (stage) =>
    stage.answer(
      200,
      completion(stage.question, { content: null, finishReason: 'content_filter' }),
    ),
  refusal: (stage) =>
    stage.answer(
      200,
      completion(stage.question, { content: null, refusal: 'I cannot help with that.' }),
    ),
  plain: (stage) =>
    stage.answer(
      200,
      completion(stage.question, { content: 'Plain words, whatever was asked for' }),
    ),
  html: (stage) =>
    stage.answer(200, '<!doctype html><title>Please sign in</title>', {
      'content-type': 'text/html',
    }),
  truncated: (stage) =>
    stage.answer(
      200,
      completion(stage.question, { content: textFor(stage.question) }).slice(0, -20),
    ),
  huge: (stage) =>
    stage.answer(200, completion(stage.question, { content: 'x'.repeat(hugeCharacters) })),
  nul: (stage) => stage.answer(200, completion(stage.question, { content: 'before\0after' })),
  surrogate: (stage) =>
    stage.answer(200, completion(stage.question, { content: 'before\ud800after' })),
  badutf8: (stage) =>
    stage.answer(
      200,
      Buffer.from(completion(stage.question, { content: 'before\u00c3after' }), 'latin1'),
    ),
  hang: () => {},
  held: (stage) => stage.hold(() => answerWell(stage)),
  'hang after headers': (stage) => stage.begin(),
  'half headers': (stage) => stage.raw('HTTP/1.1 200 OK\r\ncontent-ty'),
  drip: (stage) => {
    stage.begin();
    drip(stage);
  },
  reset: (stage) => stage.reset(),
  slow: (stage, milliseconds = '2000') =>
    stage.after(Number(milliseconds), () => answerWell(stage)),
};
const names = Object.keys(faults);

/** Answers a call as its prompt asks for. */
export function perform(stage: Stage): void {
  const { prompt } = stage.question;
  const wish = prompt.includes('[[') ? (/\[\[([^[\]]+)\]\]/.exec(prompt)?.[1] ?? '') : '';
  const name = wish && names.findLast((known) => wish === known || wish.startsWith(`${known} `));
  const fault = name ? faults[name] : undefined;
  if (name && fault) fault(stage, ...wish.slice(name.length).split(' ').filter(Boolean));
  else answerWell(stage);
}

function answerWell(stage: Stage): void {
  stage.answer(200, completion(stage.question, { content: textFor(stage.question) }));
}

function drip(stage: Stage): void {
  stage.write(' ');
  stage.after(dripMilliseconds, () => drip(stage));
}
