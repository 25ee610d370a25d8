import { STATUS_CODES } from 'node:http';

/** The type of a value, as a JSON schema has it. */
interface ValueSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  items?: ValueSchema;
  description?: string;
}

export type PromptRequest = ReturnType<typeof readRequest>;

const optionNames = [
  'temperature',
  'top_p',
  'stop',
  'seed',
  'reasoning_effort',
  'max_tokens',
  'service_tier',
  'cache_control',
];

interface Message {
  role: string;
  content: string;
}

/** Reads the parts of a request that the fake uses. */
export function readRequest(request: object) {
  const { model, messages, response_format } = request as {
    model: string;
    messages: Message[];
    response_format?: { json_schema?: { schema?: { properties?: Record<string, ValueSchema> } } };
  };
  const prompt = messages.find(({ role }) => role === 'user')?.content ?? '';
  const properties = response_format?.json_schema?.schema?.properties;
  return {
    model,
    prompt,
    /** The wanted answer columns; empty for plain text. */
    columns: properties ?? columnsInWords(prompt),
    /** They were asked for by `response_format`. */
    hasSchema: properties !== undefined,
    /** Sends the limit of the answer as `max_completion_tokens`. */
    hasNewerLimit: 'max_completion_tokens' in request,
    /** An earlier answer was sent back. */
    isCorrection: messages.some(({ role }) => role === 'assistant'),
    /** The options sent with the prompt, by OpenAI's names. */
    options: optionsIn(request),
  };
}

function optionsIn(request: object): Record<string, unknown> {
  const { max_completion_tokens: longest, ...fields } = request as Record<string, unknown>;
  const named = Object.entries({
    ...fields,
    ...(longest !== undefined && { max_tokens: longest }),
  });
  return Object.fromEntries(
    named.filter(([name, value]) => optionNames.includes(name) && value !== undefined),
  );
}

const lineOfColumn = /^- ("(?:[^"\\]|\\.)*"): ([^\n]*)$/gm;
const typesInWords: readonly [start: string, schema: ValueSchema][] = [
  ['a whole number', { type: 'integer' }],
  ['a number', { type: 'number' }],
  ['true or false', { type: 'boolean' }],
  ['a date', { description: 'YYYY-MM-DD' }],
];

/** The columns that a prompt describes in words. */
function columnsInWords(prompt: string): Record<string, ValueSchema> {
  const columns: [string, ValueSchema][] = [];
  for (const [, name = '""', type = ''] of prompt.matchAll(lineOfColumn)) {
    const [, schema] = typesInWords.find(([start]) => type.startsWith(start)) ?? [];
    const [, option] = /^(?:one of|a list of any of) “([^”]*)”/.exec(type) ?? [];
    columns.push([JSON.parse(name), schema ?? (option === undefined ? {} : { enum: [option] })]);
  }
  return Object.fromEntries(columns);
}

export function textFor({ prompt, columns, options }: PromptRequest): string {
  const text = `Answer to: ${prompt}`;
  const names = Object.keys(columns);
  if (names.length === 0) return untilStop(text, options.stop);
  return JSON.stringify(
    Object.fromEntries(
      names.map((name) => [name, valueFor(columns[name] ?? {}, `${name}: ${text}`)]),
    ),
  );
}

function untilStop(text: string, stop: unknown): string {
  const ends = (Array.isArray(stop) ? stop : []).map((end: string) => text.indexOf(end));
  return text.slice(0, Math.min(text.length, ...ends.filter((end) => end >= 0)));
}

function valueFor(
  { type, items, description = '', ...schema }: ValueSchema,
  text: string,
): unknown {
  const name = Array.isArray(type) ? type[0] : type;
  if (schema.enum) return schema.enum[text.length % schema.enum.length] ?? schema.enum[0];
  if (name === 'integer') return text.length;
  if (name === 'number') return text.length / 4;
  if (name === 'boolean') return text.length % 2 === 0;
  if (name === 'array') return items?.enum?.slice(0, 1) ?? [];
  return description.includes('YYYY-MM-DD') ? '2026-01-31' : text;
}

/** About as many as a real tokenizer counts: four characters each, of the prompt and its answer. */
export function tokensOf(request: PromptRequest): { tokens: number; output: number } {
  const { length } = textFor(request);
  return { tokens: Math.ceil((request.prompt.length + length) / 4), output: Math.ceil(length / 4) };
}

export interface Choice {
  content: string | null;
  refusal?: string;
  finishReason?: string;
}

export function completion(
  { model, prompt, options }: Pick<PromptRequest, 'model' | 'prompt' | 'options'>,
  { content, refusal, finishReason = 'stop' }: Choice,
): string {
  const message = { role: 'assistant', content, ...(refusal === undefined ? {} : { refusal }) };
  return JSON.stringify({
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model,
    service_tier: options.service_tier ?? 'default',
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: usageOf(prompt, content ?? refusal ?? ''),
  });
}

/** Every third token of the prompt was cached, and every fourth of the answer was reasoning. */
function usageOf(prompt: string, answer: string) {
  const [input, output] = [prompt, answer].map(({ length }) => Math.ceil(length / 4)) as [
    number,
    number,
  ];
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: Math.floor(input / 3) },
    completion_tokens_details: { reasoning_tokens: Math.floor(output / 4) },
  };
}

export function failure(status: number, code: string | null = null): string {
  const message = `The fake was asked for ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return JSON.stringify({ error: { message, type: code ?? 'fake_error', code } });
}
