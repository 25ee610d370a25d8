import type { ModelOption } from '@rowmill/contract';
import { asSentence } from './model-calls.ts';
import { formatNumber, formatSubmissions } from './numbers.ts';

export const writePrompt = 'Write a prompt.';
export const noModels = 'The provider offers no models right now. Try again in a moment.';
export const unknownModel = (model: string) => `There is no model named “${model}”.`;
export const optionNotTaken = (option: ModelOption, model: string) =>
  `${model} does not accept ${optionNames[option]}. Leave it empty, or choose another model.`;
export const effortNotTaken = (model: string, efforts: readonly string[]) =>
  `${model} does not accept this effort. Choose ${efforts.join(', ')}, or leave it empty.`;
export const optionNames: Record<ModelOption, string> = {
  system: 'instructions',
  temperature: 'a temperature',
  max_tokens: 'a maximum answer length',
  outputs: 'answer columns',
  top_p: 'a top-p',
  stop: 'stop texts',
  seed: 'a seed',
  reasoning_effort: 'a reasoning effort',
};
export const costsMore = (needed: number, agreed: number) =>
  `This now needs ${formatSubmissions(needed)}, not ${formatNumber(agreed)}. Nothing was charged. Check the new cost and try again.`;
export const notAnswered = 'This prompt was not answered.';
export const serverStopped = 'The server stopped before the answer arrived.';
export const cancelled = 'The call was cancelled. Nothing was charged.';
export const notCharged = (reason: string) => `${asSentence(reason)} Nothing was charged.`;
export const variableSaved = (name: string) => `Saved “${name}”.`;
export const variableRemoved = (name: string) => `Removed “${name}”.`;
export const tooManyVariables = (maximum: number) => `You can save at most ${maximum} variables.`;
export const unknownVariables = (names: string) => `No column or saved variable for ${names}.`;
export const filledTooLong = (maximum: number) =>
  `At most ${formatNumber(maximum)} characters with its variables filled in.`;
