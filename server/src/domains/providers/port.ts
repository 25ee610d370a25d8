import type { Provider, ProviderKind, ProviderModel } from '@rowmill/contract';
import type { ChatModel } from '../../engine/port.ts';

/** What an operator has set for a model; `price` is in submissions for one answered row. */
export type ModelSettings = Readonly<
  Omit<ProviderModel, 'submissions_per_row' | 'version'> & { price: number }
>;

/** Of all processes together; null when unknown. */
export type PerMinute = Readonly<Pick<Provider, 'requests_per_minute' | 'tokens_per_minute'>>;

/** The limits of a key. Those per minute may be of each model. */
export type KeyLimits = PerMinute & Readonly<Pick<Provider, 'concurrency' | 'limits_per'>>;

/** The calls that one limit of the provider counts. */
export interface LaneSettings {
  /** The provider key, or the key and the model. */
  name: string;
  perMinute: PerMinute;
}

/** The models that operators have set up, as every process has them in memory. */
export interface ModelDirectory {
  find(name: string): ModelSettings | undefined;
  /** In the order in which they are offered, without those of providers that are turned off. */
  list(): readonly ModelSettings[];
  /** The names of all models that operators have set up. */
  readonly names: readonly string[];
  /** The provider key of a model: the provider's id, or the name of the environment's provider. */
  keyOf(model: string): string;
  laneOf(model: string): LaneSettings;
  /** Models with the same provider and fallback are down together: they share a breaker. */
  breakerKeyOf(model: string): string;
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
