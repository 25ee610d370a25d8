import { STATUS_CODES } from 'node:http';

export interface PromptRequest {
  prompt: string;
  model: string;
  /** Names of the wanted answer columns; empty for plain text. */
  outputs: readonly string[];
}

/** Reads the parts of a request that the fake uses. */
export function readRequest(body: string): PromptRequest {
  const { model, messages, response_format } = JSON.parse(body);
  return {
    model,
    prompt: messages.at(-1).content,
    outputs: response_format?.json_schema?.schema?.required ?? [],
  };
}

export function textFor({ prompt, outputs }: PromptRequest): string {
  const text = `Answer to: ${prompt}`;
  return outputs.length === 0
    ? text
    : JSON.stringify(Object.fromEntries(outputs.map((name) => [name, `${name}: ${text}`])));
}

interface Choice {
  content: string | null;
  refusal?: string;
  finishReason?: string;
}

export function completion(
  { model }: PromptRequest,
  { content, refusal, finishReason = 'stop' }: Choice,
): string {
  const message = { role: 'assistant', content, ...(refusal === undefined ? {} : { refusal }) };
  return JSON.stringify({
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}

export function failure(status: number, code: string | null = null): string {
  const message = `The fake was asked for ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return JSON.stringify({ error: { message, type: code ?? 'fake_error', code } });
}
