import { setTimeout } from 'node:timers/promises';
import type { ChatModel, ChatOutcome, ChatRequest } from '../engine/port.ts';
import * as texts from '../texts/model-calls.ts';
import { demoValues } from './demo-columns.ts';

const echoCharacters = 200;
const slowMilliseconds = 2_000;
/** Rows answered slowly enough to watch, pause and stop a batch. 2,000 take about a minute. */
const pacedRows = 2_000;
const pace = { floor: 300, ceiling: 900 };

const demoModel = 'demo';

interface DemoOptions {
  isPaced: boolean;
  /** Another name that it answers to. */
  alias?: string | null;
}

/**
 * The demo model, for installations without a provider. Every answer says that it is no AI.
 * `[[fail]]` in a prompt fails that row, `[[slow]]` takes two seconds. When paced, the first rows
 * of a batch take as long as those of a real model. Other models are refused, so that batches wait
 * for their provider and are not charged for answers of the demo.
 */
export function demoChat({ isPaced, alias = null }: DemoOptions): ChatModel {
  return {
    name: 'demo',
    async listModels() {
      return [{ id: demoModel }];
    },
    async ask(request) {
      const { model } = request;
      if (model !== demoModel && model !== alias)
        return { kind: 'provider_refused', reason: texts.onlyDemo(model) };
      if (request.signal.aborted) return { kind: 'aborted' };
      const delay = answerDelay(request, isPaced);
      const interruption = delay > 0 ? await waitFor(delay, request) : null;
      return interruption ?? answer(request);
    },
    async close() {},
  };
}

/** Milliseconds before an answer. */
export function answerDelay(
  { prompt, position }: Pick<ChatRequest, 'prompt' | 'position'>,
  isPaced: boolean,
  random = Math.random,
): number {
  if (prompt.includes('[[slow]]')) return slowMilliseconds;
  if (!isPaced || position === null || position >= pacedRows) return 0;
  return pace.floor + random() * (pace.ceiling - pace.floor);
}

function answer({ prompt, outputs }: ChatRequest): ChatOutcome {
  if (prompt.includes('[[fail]]')) return { kind: 'row_refused', reason: texts.demoFails };
  if (outputs.length === 0)
    return { kind: 'answered', text: `Demo answer (no AI): ${firstLine(prompt)}` };
  return { kind: 'answered', text: JSON.stringify(demoValues(prompt, outputs)) };
}

async function waitFor(
  milliseconds: number,
  { signal, deadlineMilliseconds }: ChatRequest,
): Promise<ChatOutcome | null> {
  try {
    await setTimeout(Math.min(milliseconds, deadlineMilliseconds), undefined, { signal });
  } catch {
    return { kind: 'aborted' };
  }
  if (deadlineMilliseconds > milliseconds) return null;
  return { kind: 'broken', reason: texts.late(deadlineMilliseconds) };
}

function firstLine(prompt: string): string {
  const line = prompt.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return line.slice(0, echoCharacters).toWellFormed();
}
