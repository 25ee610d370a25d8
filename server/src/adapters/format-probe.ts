import { type FormatFinding, type Output, readAnswer } from '@rowmill/contract';
import type { ChatModel, ChatOutcome, ChatRequest, ModelFormats } from '../engine/port.ts';
import { hour } from '../lib/clock.ts';
import { probePrompt } from '../texts/model-calls.ts';

/** Null: the provider had a fault, so the probe found nothing. */
type Finding = FormatFinding | null;

/** Then the stored finding is read again; without a result the probe is soon repeated. */
const lifetimeMilliseconds = hour;
const retryMilliseconds = 30_000;
const maximumFindings = 500;
const deadlineMilliseconds = 30_000;
/** The words of the probe ask for no form, so an answer in the form proves that the model obeys. */
const outputs: readonly Output[] = [{ name: 'answer', type: 'text' }];

interface Parts {
  formats: ModelFormats;
  now: () => number;
}

/**
 * Tests each model once a day, before its first answer in columns, for `response_format`. If it
 * ignores or refuses that, the prompt describes the form in words.
 */
export function withFormatProbe(chat: ChatModel, { formats, now }: Parts): ChatModel {
  const probes = new Map<string, { finding: Promise<Finding>; expiresAt: number }>();

  function findingFor(request: ChatRequest): Promise<Finding> {
    const { model } = request;
    const known = probes.get(model);
    if (known && now() < known.expiresAt) return known.finding;
    const finding = findOrProbe(request).catch(() => null);
    const probe = { finding, expiresAt: now() + lifetimeMilliseconds };
    probes.delete(model);
    probes.set(model, probe);
    const [oldest] = probes.keys();
    if (oldest !== undefined && probes.size > maximumFindings) probes.delete(oldest);
    void probe.finding.then((finding) => {
      if (finding === null) probe.expiresAt = now() + retryMilliseconds;
    });
    return probe.finding;
  }

  async function findOrProbe(request: ChatRequest): Promise<Finding> {
    const stored = await formats.find(request.model);
    if (stored) return stored;
    const finding = await probeModel(chat, request);
    if (finding) await formats.save(request.model, finding);
    return finding;
  }

  async function askForColumns(request: ChatRequest): Promise<ChatOutcome> {
    const finding = await findingFor(request);
    const isInWords = finding === 'ignores' || finding === 'refuses';
    return chat.ask({ ...request, format: isInWords ? 'words' : 'schema' });
  }

  return {
    ...chat,
    ask: (request) => (request.outputs.length === 0 ? chat.ask(request) : askForColumns(request)),
  };
}

async function probeModel(chat: ChatModel, { model, ...request }: ChatRequest): Promise<Finding> {
  const probe: ChatRequest = {
    model,
    prompt: probePrompt,
    system: null,
    temperature: null,
    maxTokens: null,
    outputs,
    position: null,
    deadlineMilliseconds: Math.min(request.deadlineMilliseconds, deadlineMilliseconds),
    // Other rows wait for it too, so it does not end with this one.
    signal: new AbortController().signal,
  };
  const first = await chat.ask(probe);
  if (first.kind === 'answered')
    return 'cells' in readAnswer(first.text, outputs) ? 'obeys' : 'ignores';
  if (first.kind !== 'request_refused') return null;
  // Refused for its form only if the same is answered without it.
  const second = await chat.ask({ ...probe, outputs: [] });
  return second.kind === 'answered' ? 'refuses' : null;
}
