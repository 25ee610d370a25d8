// The list
export const intro =
  'The services that answer prompts. Changes apply to the next call, without a restart. Running batches keep their price.';
export const addProvider = 'Add provider';
export const noKeys =
  'To save keys, set SECRETS_KEY on the server first. Providers without a key, such as a model on your own machine, work now.';
export const ofEnvironment = 'From the server’s settings';
export const turnedOff = 'Turned off';
export const address = 'Address';
export const kind = 'Protocol';
export const key = 'Key';
export const keySaved = 'Key saved';
export const noKey = 'No key';
export const concurrency = 'Calls at once';
export const callsAtOnce = (number: string) =>
  `${number} ${number === '1' ? 'call' : 'calls'} at once`;
export const requestsAMinute = (number: string) =>
  `${number} ${number === '1' ? 'request' : 'requests'} a minute`;
export const tokensAMinute = (number: string) =>
  `${number} ${number === '1' ? 'token' : 'tokens'} a minute`;
export const limitsOfEach = 'limits for each model';
export const demo = 'The built-in demo model';
interface Paused {
  batches: number;
  /** The same, as it is shown. */
  shown: string;
  isInUse: boolean;
}
export const pausedBatches = ({ batches, shown, isInUse }: Paused) => {
  const [paused, resume] =
    batches === 1
      ? ['1 batch is paused', 'It resumes']
      : [`${shown} batches are paused`, 'They resume'];
  return isInUse
    ? `${paused}: this provider is down or refuses requests. ${resume} when “Test” gets an answer.`
    : `${paused}: this provider is turned off. ${resume} when it is in use again.`;
};
export const pauseReason = (reason: string) => `Reason: ${reason}`;
export const edit = 'Edit';
export const test = 'Test';
export const editItem = (item: string) => `Edit ${item}`;
export const remove = 'Delete';
export const removeItem = (item: string) => `Delete ${item}`;
export const removeText =
  'Its address, key and limits are deleted for good. No model belongs to it.';
export const removeModelsFirst =
  'Models belong to this provider. Move each to another provider first: choose “Edit” beside the model. Or turn this provider off with “Edit”.';
export const testItem = (item: string) => `Test ${item}`;
export const addModelTo = (provider: string) => `Add model to ${provider}`;
export const addModel = 'Add model';
export const modelsOf = (provider: string) => `Models of ${provider}`;
export const noModels = 'No models yet.';
export const noSettings = 'All models in its list are offered. Add one here to set its price.';
export const noSettingsOfDemo = 'Offered only while no other model is.';
export const model = 'Model';
export const price = 'Price in submissions';
export const priceOf = (submissions: string, tokens: string | null) =>
  `${submissions} ${tokens === null ? 'per row' : `per ${tokens} tokens`}`;
export const priceTokens = 'Tokens for this price';
export const priceTokensHint =
  'Leave empty to charge per row. With 4000, each 4,000 tokens of prompt and answer cost the price, rounded up.';
export const answerTokens = 'Maximum answer length (tokens)';
export const answerTokensHint =
  'Only for a price per tokens. We reserve this for each row when a client sets no maximum.';
export const costs = (currency: string) => `${currency} per million tokens`;
export const unknownCosts = 'Unknown';
interface Costs {
  input: string;
  cached: string;
  output: string;
  /** Null: it has no flex tier. */
  flex: string | null;
}
export const costsOf = ({ input, cached, output, flex }: Costs) =>
  `${input} in · ${cached} cached · ${output} out${flex === null ? '' : ` · flex ${flex}%`}`;
export const offeredTo = 'Offered to';
export const audiences = { everyone: 'Everyone', admins: 'Admins', none: 'No one' } as const;
export const fallback = 'Falls back to';
export const answersNow = 'Answers now';
export const fallbackOff = (label: string) => `${label} (its provider is turned off)`;

// A provider
export const newProvider = 'New provider';
export const name = 'Name';
export const nameHint = 'Shown beside answers.';
export const kinds = {
  openai: 'OpenAI-compatible',
  anthropic: 'Anthropic Messages',
  gemini: 'Google Gemini',
  azure: 'Azure OpenAI',
} as const;
export const addressHints = {
  openai: 'For example https://api.openai.com/v1.',
  anthropic: 'For example https://api.anthropic.com/v1.',
  gemini: 'For example https://generativelanguage.googleapis.com/v1beta.',
  azure: 'For example https://NAME.openai.azure.com/openai.',
} as const;
export const keyHint = 'Stored encrypted and never shown again.';
export const keyKept = 'A key is saved. Leave this empty to keep it.';
export const concurrencyHint = 'The maximum for all processes together.';
export const requestsPerMinute = 'Requests per minute';
export const tokensPerMinute = 'Tokens per minute';
export const perMinuteHint = 'What the provider allows. Empty: unknown.';
export const limitsPer = 'These limits count';
export const limitScopes = { key: 'All calls', model: 'The calls of each model' } as const;
export const limitsPerHint =
  'What your provider counts. With the calls of each model, one at its limit slows no other.';
export const isUsed = 'In use';
export const yes = 'Yes';
export const no = 'No';

// A model
export const provider = 'Provider';
export const providerHint = 'If you choose another one, it answers from the next call on.';
export const newModel = 'New model';
export const askedAs = 'Name at the provider';
export const askedAsMissing = 'Enter the name that the provider gives the model.';
export const askedAsHints = {
  openai: 'For example gpt-5-mini.',
  anthropic: 'The name in its list of models.',
  gemini: 'For example gemini-2.5-flash.',
  azure: 'The name of the deployment.',
} as const;
export const ownName = 'Name for the API';
export const ownNameHint =
  'Batches store it, so it cannot change. Empty: the name at the provider.';
export const label = 'Label';
export const labelHint = 'What people choose. Empty: the name at the provider.';
export const yourCosts = (currency: string) => `Your cost, ${currency} per million tokens`;
export const input = 'Input tokens';
export const cached = 'Cached input tokens';
export const output = 'Output tokens';
export const costHint = 'For example 2.50. Empty: unknown.';
export const cachedCostHint = 'Empty: the cost of input tokens.';
export const limitsOfModel = 'Its limits, if you know them';
export const limitsOfModelHint = 'Empty: what is set for the provider.';
export const flexCost = 'Flex tier cost (%)';
export const flexCostHint =
  'As a percentage of the costs above, if it has a flex tier. OpenAI bills 50.';
export const options = 'Options it accepts';
export const optionNames = {
  system: 'Instructions',
  temperature: 'Temperature',
  max_tokens: 'Maximum answer length',
  outputs: 'Answer columns',
  top_p: 'Top-p',
  stop: 'Stop texts',
  seed: 'Seed',
  reasoning_effort: 'Reasoning effort',
} as const;
export const efforts = 'Reasoning efforts it accepts';
export const hasFlex = 'Has a flex tier';
export const hasFlexHint =
  'Clients may choose half the price, rounded up for each row, for answers by the next morning. A price of 1 cannot be halved.';
export const noFallback = 'No other model';
export const fallbackHint = 'Answers while this model is down, at this model’s price.';
export const position = 'Position';
export const positionHint = '1 is first.';

// The test
export const testNote =
  'Sends one or two short prompts. The provider bills you for them; no client is charged.';
export const testModel = 'Name of the model at the provider';
export const testModelHint = 'Empty: the first one that the provider lists.';
export const testDeploymentHint = 'The name of a deployment.';
export const runTest = 'Ask';
export const changeAndTest =
  'To change its address or key, close this and choose “Edit”. Then test again.';
export const close = 'Close';
export const works = (resumed: number) =>
  resumed === 0
    ? 'It works.'
    : `It works. ${resumed} paused ${resumed === 1 ? 'batch resumes' : 'batches resume'}.`;
export const time = 'Time to the answer';
export const milliseconds = (number: string) => `${number} ms`;
export const columns = 'Answer columns';
export const columnFindings = {
  obeys: 'Kept to the schema',
  ignores: 'Ignored the schema, so we describe the columns in words',
  refuses: 'Refused the schema, so we describe the columns in words',
} as const;
export const unknown = 'Unknown';
export const tokens = 'Tokens';
export const counted = 'Counted';
export const notCounted = 'Not counted';
export const limits = 'Limits in its headers';
export const limitOf = ({ of, limit, left }: { of: string; limit: string; left: string }) =>
  `${left} of ${limit} ${of.replace('_', ' ')} left`;
export const none = 'None';
export const noLimits = 'None. Enter what the key allows with “Edit”.';
export const lists = 'Models it lists';
