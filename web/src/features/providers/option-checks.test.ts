import type { ProviderModel } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { optionsIn } from './option-checks.tsx';

const modelWith = (...reasoning_efforts: ProviderModel['reasoning_efforts']) =>
  ({ reasoning_efforts }) as ProviderModel;

it.each([
  ['those that are ticked', { 'reasoning_efforts.high': 'on' }, modelWith('low'), ['high']],
  ['none if all are unticked', {}, modelWith('low'), []],
])('sends the efforts of a model that takes them: %s', (_, ticked, model, sent) => {
  const values = { 'options.system': 'on', 'options.reasoning_effort': 'on', ...ticked };
  expect(optionsIn(values, { kind: 'openai', model })).toEqual({
    options: ['system', 'reasoning_effort'],
    reasoning_efforts: sent,
  });
});

it.each([
  ['as they are', modelWith('none', 'high'), ['none', 'high']],
  ['the usual ones for a new model', null, ['low', 'medium', 'high']],
  ['the usual ones instead of none', modelWith(), ['low', 'medium', 'high']],
])('keeps the efforts of a model that does not take them: %s', (_, model, kept) => {
  const values = { 'options.system': 'on' };
  expect(optionsIn(values, { kind: 'openai', model }).reasoning_efforts).toEqual(kept);
});
