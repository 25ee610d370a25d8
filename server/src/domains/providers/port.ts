import type { Provider, ProviderKind, ProviderModel } from '@rowmill/contract';
import type { ChatModel } from '../../engine/port.ts';

/** What an operator has set for a model; `price` is in submissions for one answered row. */
export type ModelSettings = Readonly<
  Omit<ProviderModel, 'submissions_per_row' | 'version'> & { price: number }
>;

/** The limits of a key, for all processes together. The last two are null when unknown. */
export type KeyLimits = Readonly<
  Pick<Provider, 'concurrency' | 'requests_per_minute' | 'tokens_per_minute'>
>;

/** The models that operators have set up, as every process has them in memory. */
export interface ModelDirectory {
  find(name: string): ModelSettings | undefined;
  /** In the order in which they are offered, without those of providers that are turned off. */
  list(): readonly ModelSettings[];
  /** The provider key of a model: the provider's id, or the name of the environment's provider. */
  keyOf(model: string): string;
  /** Models with the same provider and fallback are down together: they share a breaker. */
  breakerKeyOf(model: string): string;
  /** The breaker keys of the models of one provider key. */
  breakerKeysOf(key: string): string[];
  /** An unknown key gets the limits of the environment's provider. */
  limitsOf(key: string): KeyLimits;
  /** Reads providers and models again after a change. */
  reload(): Promise<void>;
  /**
   * Asks once, without limits and format probe. Null: no such provider, or an unreadable key.
   */
  openForTest(id: string | null): Promise<ChatModel | null>;
  /** Null: no key can be sealed. */
  seal: ((key: string, providerId: string) => string) | null;
  /** Why a provider cannot be called. */
  problemOf(id: string): string | null;
  readonly environment: {
    name: string;
    kind: ProviderKind;
    address: string;
    hasKey: boolean;
    limits: KeyLimits;
  };
}

export function breakerKey(provider: string, fallback: string | null = null): string {
  return fallback === null ? provider : `${provider} ${fallback}`;
}

/** Where a provider is and how it is spoken to. */
export interface ProviderAddress {
  kind: ProviderKind;
  baseUrl: string;
  apiKey: string | null;
}

/** Opens a provider. `prepare` adds what every model needs: its answers in columns. */
export interface ProviderOpener {
  open(provider: ProviderAddress): ChatModel;
  prepare(chat: ChatModel, providerId: string): ChatModel;
}
