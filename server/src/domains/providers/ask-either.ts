import type { Logger } from 'pino';
import { addTokens, type ChatOutcome, type ChatRequest } from '../../engine/port.ts';
import { probePrompt } from '../../texts/model-calls.ts';
import type { FailOver } from './fail-over.ts';
import type { FailedOverModels } from './failed-over-models.ts';
import type { ModelSettings } from './port.ts';

interface Either {
  model: ModelSettings;
  fallback: ModelSettings;
  /** Of the model. */
  provider: string;
  /** False while the provider of the model is turned off. */
  canCall: boolean;
  failOver: FailOver;
  failedOver: FailedOverModels;
  log: Logger;
  askAt(model: ModelSettings, request: ChatRequest): Promise<ChatOutcome>;
}

/** In place of a person, for the rows of a model that another provider stands in for. */
const rowsOfOthers = 'rows';

/** A provider that is up answers a few words within this. */
const probeDeadlineMilliseconds = 30_000;

/**
 * Asks a model or its fallback. A prompt that is not sent again goes to the fallback at once, a row
 * after retries. A refusal of the fallback counts as none: it would pause the batch until an
 * operator acts, although the provider of the model may be up again in a moment.
 */
export async function askEither(either: Either, request: ChatRequest): Promise<ChatOutcome> {
  const { model, fallback, provider, canCall, failOver, failedOver, log, askAt } = either;
  const beside = { ...request, person: request.person ?? rowsOfOthers };
  const person = request.owner ?? request.person ?? '';
  const askFallback = async () => {
    const outcome = await askAt(fallback, beside);
    if (!failOver.noteRefusal(fallback.name, outcome)) return outcome;
    log.warn({ model: model.name, fallback: fallback.name, outcome }, 'a fallback refuses us');
    return null;
  };
  if (!canCall) return askAt(fallback, beside);
  const wasDown = failOver.isDown(provider);
  const isDown = failOver.isDownFor(provider, person);
  if (failOver.mustPassOver(provider, person, request.attempts)) {
    const instead = await askFallback();
    if (instead && isDown) failedOver.mark(model);
    if (instead) return instead;
  }
  const outcome = await askAt(model, request);
  failOver.note(provider, person, outcome);
  if (wasDown && !failOver.isDown(provider)) failedOver.clear(model);
  if (failOver.takeProbe(provider)) void probe(either, request);
  if (!failOver.hasFailed(provider, person, outcome) || request.attempts !== undefined)
    return outcome;
  const second = await askFallback();
  return second ? { ...second, tokens: addTokens(outcome.tokens, second.tokens) } : outcome;
}

/** Asks a harmless question. No call waits for it. */
async function probe({ model, provider, failOver, log, askAt }: Either, request: ChatRequest) {
  const milliseconds = Math.min(probeDeadlineMilliseconds, request.deadlineMilliseconds);
  try {
    const outcome = await askAt(model, {
      model: request.model,
      prompt: probePrompt,
      system: null,
      temperature: null,
      maxTokens: null,
      outputs: [],
      position: null,
      deadlineMilliseconds: milliseconds,
      signal: AbortSignal.timeout(milliseconds),
    });
    failOver.noteProbe(provider, outcome);
  } catch (error) {
    log.error({ err: error }, 'a probe of a provider threw');
  }
}
