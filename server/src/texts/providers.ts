import type { ModelOption } from '@rowmill/contract';
import { formatNumber } from './numbers.ts';
import { optionNames } from './prompts.ts';

export const keyUnreadable =
  'The saved key cannot be read, because SECRETS_KEY is missing or has changed. Enter the key again.';
export const addressRefused = 'This address is not allowed: it belongs to a machine’s own network.';
export const notCalled = 'The provider could not be called.';
export const providerUnusable =
  'The key or address of this model’s provider cannot be used. An operator has to correct it.';
export const providerOff = 'The provider of this model is turned off.';
export const answeredBy = (model: string, provider: string) => `${model} at ${provider}`;
export const noSecretsKey = 'Keys cannot be saved: SECRETS_KEY is not set on the server.';
export const keyAgain = 'Enter the key again, because the address has changed.';
export const nameTaken = 'Another provider has this name.';
export const modelTaken = 'Another model has this name.';
export const tooMany = (most: number) => `At most ${most} are allowed.`;
export const unknownProvider = 'Choose a provider from the list.';
export const fallbackUnknown = 'No model has this name. Choose one from the list.';
export const fallbackSelf = 'A model cannot be its own fallback.';
export const fallbackTakesLess = 'This model does not accept all of these options and efforts.';
export const kindLacks = (option: ModelOption) =>
  `This protocol has no field for ${optionNames[option]}.`;
export const noEfforts = 'Choose at least one effort, or leave the option out.';
export const noFlex = 'This protocol has no flex tier.';
export const noPriceTokens =
  'Enter how many tokens the price is for, or leave the maximum answer length empty.';
export const noAnswerTokens = 'Enter how long an answer may be, so that enough is reserved for it.';
export const optionsOfFallback =
  'Another model falls back to this one, so it must accept the same options and efforts.';
const batchesResumed = (batches: number) =>
  batches === 0
    ? ''
    : ` ${formatNumber(batches)} paused ${batches === 1 ? 'batch resumes' : 'batches resume'}.`;
export const providerSaved = (name: string, resumed: number) =>
  `Saved ${name}. It applies from the next call on.${batchesResumed(resumed)}`;
export const providerDeleted = (name: string) => `Deleted ${name}.`;
export const providerHasModels =
  'Models belong to this provider, so it cannot be deleted. Turn it off with “Edit”, or move its models to another provider first.';
export const modelSaved = (label: string, resumed: number) =>
  `Saved ${label}. Running batches keep their price.${batchesResumed(resumed)}`;
export const noModelListed =
  'The provider lists no models at this address. Enter the name of a model, or check the address.';
export const otherCosts = (rows: number) => `${formatNumber(rows)} others`;
