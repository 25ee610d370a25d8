import { setTimeout } from 'node:timers/promises';
import type { ChatModel, ChatOutcome, ChatRequest } from '../engine/port.ts';

const echoCharacters = 200;
const slowMilliseconds = 2_000;

/**
 * The demo model: used when no provider is configured, so that the product can be tried offline. Every answer says that it
 * is no AI. `[[fail]]` in a prompt fails that row, `[[slow]]` takes two seconds.
 */
export function demoChat(): ChatModel {
  return {
    name: 'demo',
    async listModels() {
      return [{ id: 'demo' }];
    },
    async ask(request) {
      if (request.signal.aborted) return { kind: 'aborted' };
      const interruption = request.prompt.includes('[[slow]]') ? await waitSlowly(request) : null;
      return interruption ?? answer(request);
    },
    async close() {},
  };
}

function answer({ prompt, outputs }: ChatRequest): ChatOutcome {
  if (prompt.includes('[[fail]]'))
    return { kind: 'row_refused', reason: 'The demo model was asked to fail.' };
  if (outputs.length === 0)
    return { kind: 'answered', text: `Demo answer (no AI): ${firstLine(prompt)}` };
  return {
    kind: 'answered',
    text: JSON.stringify(Object.fromEntries(outputs.map((output) => [output, `${output}: demo`]))),
  };
}

async function waitSlowly({
  signal,
  deadlineMilliseconds,
}: ChatRequest): Promise<ChatOutcome | null> {
  try {
    await setTimeout(Math.min(slowMilliseconds, deadlineMilliseconds), undefined, { signal });
  } catch {
    return { kind: 'aborted' };
  }
  if (deadlineMilliseconds > slowMilliseconds) return null;
  return {
    kind: 'broken',
    reason: `No answer came within ${deadlineMilliseconds / 1_000} seconds.`,
  };
}

function firstLine(prompt: string): string {
  const line = prompt.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return line.slice(0, echoCharacters).toWellFormed();
}
