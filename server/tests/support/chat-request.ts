import type { ChatRequest } from '../../src/engine/port.ts';

/** A call of the model with nothing but a prompt, unless options say more. */
export function chatRequestFor(prompt: string, options: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'demo',
    prompt,
    system: null,
    temperature: null,
    maxTokens: null,
    outputs: [],
    position: null,
    deadlineMilliseconds: 60_000,
    signal: new AbortController().signal,
    ...options,
  };
}
