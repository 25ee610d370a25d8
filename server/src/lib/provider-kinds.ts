/** The protocols of chat providers. */
export const providerKinds = ['openai', 'anthropic', 'gemini', 'azure'] as const;
export type ProviderKind = (typeof providerKinds)[number];
