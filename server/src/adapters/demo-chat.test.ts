import { expect, it } from 'vitest';
import { chatRequestFor } from '../../tests/support/chat-request.ts';
import { answerDelay, demoChat } from './demo-chat.ts';

it.each<[string, { prompt?: string; position?: number | null; isPaced?: boolean }, number[]]>([
  ['of the first rows of a batch', {}, [300, 900]],
  ['of the last paced rows', { position: 1_999 }, [300, 900]],
  ['of later rows', { position: 2_000 }, [0, 0]],
  ['of single prompts and previews', { position: null }, [0, 0]],
  ['with pacing turned off', { isPaced: false }, [0, 0]],
  ['of a slow prompt', { prompt: '[[slow]]', isPaced: false }, [2_000, 2_000]],
])('answers %s after the right time', (_case, change, delays) => {
  const { prompt = 'Hello', position = 0, isPaced = true } = change;
  const found = [0, 1].map((random) => answerDelay({ prompt, position }, isPaced, () => random));
  expect(found).toEqual(delays);
});

it.each([
  ['demo', 'answered'],
  ['chosen', 'answered'],
  ['llama3.2', 'provider_refused'],
])('answers for its own models: %s is %s', async (model, kind) => {
  const chat = demoChat({ isPaced: false, alias: 'chosen' });
  expect(await chat.ask(chatRequestFor('Hello', { model }))).toMatchObject({ kind });
});
