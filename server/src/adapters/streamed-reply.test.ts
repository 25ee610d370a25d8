import { describe, expect, it } from 'vitest';
import { interpretReply } from './chat-answer.ts';
import { anthropicProtocol } from './protocols/anthropic.ts';
import { geminiProtocol } from './protocols/gemini.ts';
import type { Protocol } from './protocols/protocol.ts';

const asIs: Pick<Protocol, 'completionOf'> = { completionOf: (json) => json };
const interpret = (body: string, protocol = asIs) =>
  interpretReply(
    { status: 200, headers: {}, body: Buffer.from(body) },
    { apiKey: null, protocol, now: () => 0 },
  );

describe('an answer that is streamed without being asked', () => {
  const delta = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }], usage: null })}\n\n`;
  const usage = { prompt_tokens: 7, completion_tokens: 2 };
  const counted = `data: ${JSON.stringify({ choices: [], usage })}\r\n\r\n`;

  it('is joined, with its tokens', () => {
    const parts = [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'Hm.' }),
      delta({ content: 'ye' }),
      delta({ content: [{ type: 'text', text: 's' }] }),
      delta({}, 'stop'),
      counted,
    ];
    expect(interpret(`: keep-alive\n\n${parts.join('')}data: [DONE]\n\n`)).toMatchObject({
      kind: 'answered',
      text: 'yes',
      tokens: { input: 7, output: 2 },
    });
  });

  it.each<[string, string, object]>([
    ['is cut off', delta({ content: 'ye' }), { kind: 'broken', reason: /did not request/ }],
    ['only pings', 'event: ping\ndata: {"type":"ping"}\n', { kind: 'broken' }],
    ['is half an event', 'data: {"choices', { kind: 'broken' }],
    ['is too long for the model', delta({ content: 'ye' }, 'length'), { mark: 'cut_off' }],
    ['refuses', delta({ refusal: 'No.' }, 'stop'), { kind: 'row_refused', mark: 'refusal' }],
    ['fails', `${delta({ content: 'ye' })}data: {"error":{"code":429}}\n`, { kind: 'try_later' }],
    ['has one whole answer', 'data: {"choices":[{"message":{"content":"yes"}}]}', { text: 'yes' }],
  ])('that %s is understood', (_how, body, outcome) => {
    const expected =
      'reason' in outcome
        ? { ...outcome, reason: expect.stringMatching(outcome.reason as RegExp) }
        : outcome;
    expect(interpret(body)).toMatchObject(expected);
  });
});

describe('an answer that Anthropic or Gemini streams without being asked', () => {
  const begun = {
    type: 'message_start',
    message: { usage: { input_tokens: 7, output_tokens: 1 } },
  };
  const part = (delta: object) => ({ type: 'content_block_delta', index: 1, delta });
  const ended = (stop_reason: string) => ({
    type: 'message_delta',
    delta: { stop_reason },
    usage: { output_tokens: 2 },
  });
  const candidate = (text: string, more = {}) => ({
    candidates: [{ content: { parts: [{ text, ...more }] } }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1 },
  });
  const last = {
    candidates: [{ content: { parts: [{ text: 's' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2 },
  };
  const yes = { kind: 'answered', text: 'yes', tokens: { input: 7, output: 2 } };
  const failed = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

  it.each<[string, Protocol, object[], object]>([
    [
      'text',
      anthropicProtocol,
      [
        begun,
        part({ thinking: 'Hm' }),
        part({ text: 'ye' }),
        part({ text: 's' }),
        ended('end_turn'),
      ],
      yes,
    ],
    [
      'the input of a tool',
      anthropicProtocol,
      [begun, part({ partial_json: '{"a":' }), part({ partial_json: '"b"}' }), ended('tool_use')],
      { ...yes, text: '{"a":"b"}' },
    ],
    [
      'a long one',
      anthropicProtocol,
      [begun, part({ text: 'ye' }), ended('max_tokens')],
      { mark: 'cut_off' },
    ],
    ['no end', anthropicProtocol, [begun, part({ text: 'ye' })], { kind: 'broken' }],
    ['a failure', anthropicProtocol, [begun, part({ text: 'ye' }), failed], { kind: 'try_later' }],
    [
      'candidates',
      geminiProtocol,
      [candidate('Hm', { thought: true }), candidate('ye'), last],
      yes,
    ],
    ['half a candidate', geminiProtocol, [candidate('ye')], { kind: 'broken' }],
  ])('with %s is understood', (_what, protocol, events, outcome) => {
    const body = events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join('');
    expect(interpret(body, protocol)).toMatchObject(outcome);
  });
});
