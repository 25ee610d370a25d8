import { isRecord, type JsonRecord, type Wire } from './wire.ts';

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
const stopReasons: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  content_filter: 'refusal',
};

const knownFields = ['temperature', 'top_p', 'stop_sequences', 'output_config', 'thinking'];

/** Anthropic’s Messages. */
export const anthropicWire: Wire = {
  matches: (path) => path === '/anthropic/v1/messages',
  /** The end of a limit is a second. */
  limitHeaders: (stated, now) =>
    Object.fromEntries(
      Object.entries(stated).map(([name, value]) => {
        const [, what = '', of = ''] =
          /^x-ratelimit-(limit|remaining|reset)-(.+)$/.exec(name) ?? [];
        const end = () => new Date(now + Number.parseFloat(value)).toISOString();
        const stated = what === 'reset' ? end().replace(/\.\d+/, '') : value;
        return [`anthropic-ratelimit-${of}-${what}`, stated];
      }),
    ),
  key: ({ 'x-api-key': key }) => (typeof key === 'string' ? key : undefined),
  request(json, { headers }) {
    if (headers['anthropic-version'] !== '2023-06-01')
      throw new Error('anthropic-version: header is required');
    const { model, messages, system, max_tokens, tools, tool_choice, ...others } =
      json as JsonRecord;
    const extra = Object.keys(others).find((name) => !knownFields.includes(name));
    if (extra) throw new Error(`${extra}: Extra inputs are not permitted`);
    const { temperature, top_p, stop_sequences: stop, output_config: output, thinking } = others;
    if (!Number.isInteger(max_tokens)) throw new Error('max_tokens: Field required');
    // Only a choice forces a tool; without one the model may answer in text.
    const forced = isRecord(tool_choice) && tool_choice.type === 'tool' ? tool_choice.name : null;
    const tool = Array.isArray(tools) ? tools.find(({ name }) => name === forced) : undefined;
    return {
      model,
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: textOf(system) }]),
        ...(messages as object[]),
      ],
      max_tokens,
      cache_control: Array.isArray(system) ? system.at(-1).cache_control : undefined,
      temperature,
      top_p,
      stop,
      reasoning_effort: isRecord(thinking)
        ? thinking.type
        : isRecord(output)
          ? output.effort
          : undefined,
      ...(isRecord(tool) && { response_format: { json_schema: { schema: tool.input_schema } } }),
    };
  },
  answer({ model, choices: [{ message, finish_reason }], usage }, isForced) {
    const { cached_tokens: cached } = usage.prompt_tokens_details;
    const text = message.content ?? message.refusal ?? '';
    const input = isForced && text.startsWith('{') ? parsed(text) : null;
    return {
      id: 'msg_fake',
      type: 'message',
      role: 'assistant',
      model,
      content: [
        input
          ? { type: 'tool_use', id: 'toolu_fake', name: 'answer', input }
          : { type: 'text', text },
      ],
      stop_reason:
        message.refusal === undefined ? (stopReasons[finish_reason] ?? 'end_turn') : 'refusal',
      stop_sequence: null,
      usage: {
        input_tokens: usage.prompt_tokens - cached,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
        output_tokens: usage.completion_tokens,
      },
    };
  },
  failure: (status, { message }) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message },
    request_id: 'req_fake',
  }),
};

function textOf(system: unknown): string {
  if (typeof system === 'string') return system;
  if (!Array.isArray(system)) throw new Error('system: Input should be a string or a list');
  return system.map(({ text }) => text).join('');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
