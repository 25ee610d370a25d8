import type { Provider, ProviderKind, ProviderModel } from '@rowmill/contract';
import type { ChatModel } from '../../engine/port.ts';

/** What an operator has set for a model; `price` is in submissions for one answered row. */
export type ModelSettings = Readonly<
  Omit<ProviderModel, 'submissions_per_row' | 'version'> & { price: number }
>;

/** Of a provider's key, for all processes together. The last two are null when they are not known. */
export type KeyLimits = Readonly<
  Pick<Provider, 'concurrency' | 'requests_per_minute' | 'tokens_per_minute'>
>;

/** The models that operators have set up, as every process has them in memory. */
export interface ModelDirectory {
  find(name: string): ModelSettings | undefined;
  /** In the order in which they are offered, without those of providers that are turned off. */
  list(): readonly ModelSettings[];
  /** Of what is called for a model: the provider's id, or the name of the environment's. */
  keyOf(model: string): string;
  /** Of the environment's provider, if the key is of no other. */
  limitsOf(key: string): KeyLimits;
  /** After a change in the database. */
  reload(): Promise<void>;
  /** Asks once, without limits and format probe. Null: there is no such provider, or its key cannot be read. */
  openForTest(id: string): Promise<ChatModel | null>;
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
  connections: number;
}

/** Opens a provider. `prepare` adds what every model needs: its answers in columns. */
export interface ProviderOpener {
  open(provider: ProviderAddress): ChatModel;
  prepare(chat: ChatModel, providerId: string): ChatModel;
}
