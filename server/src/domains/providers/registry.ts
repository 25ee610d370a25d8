import type { Logger } from 'pino';
import type { Db } from '../../db/transaction.ts';
import type { ChatModel, ChatOutcome, ChatRequest } from '../../engine/port.ts';
import { type Clock, monotonicNow } from '../../lib/clock.ts';
import { mayCallAddress } from '../../lib/outside-address.ts';
import type { Sealer } from '../../lib/sealed-text.ts';
import * as texts from '../../texts/providers.ts';
import { askEither } from './ask-either.ts';
import { costOf } from './call-cost.ts';
import { CallsBeside } from './calls-beside.ts';
import { FailOver } from './fail-over.ts';
import { FailedOverModels } from './failed-over-models.ts';
import type {
  KeyLimits,
  LaneSettings,
  ModelDirectory,
  ModelSettings,
  ProviderAddress,
  ProviderOpener,
} from './port.ts';
import { listModelsAndProviders, type ProviderRow } from './store.ts';

interface Parts {
  /** The provider of the environment, and what is shown of it. */
  environment: ChatModel;
  plainEnvironment: ChatModel;
  shown: Omit<ModelDirectory['environment'], 'name'>;
  opener: ProviderOpener;
  /** Null without SECRETS_KEY. */
  sealer: Sealer | null;
  db: Db;
  clock: Clock;
  log: Logger;
}

/** A provider that is open. Null: it cannot be called. */
interface Entry {
  row: ProviderRow;
  chat: ChatModel | null;
  beside: CallsBeside;
  problem: string | null;
  calls: number;
  isRetired: boolean;
}

/**
 * Sends each request to the provider of its model: one that an operator has added, else the
 * environment's. After a change, calls in flight end at the old provider.
 */
export class ProviderRegistry implements ModelDirectory {
  readonly #parts: Parts;
  readonly #retired = new Set<Entry>();
  #entries = new Map<string, Entry>();
  #models = new Map<string, ModelSettings>();
  #reloading: Promise<void> = Promise.resolve();
  /** Begins when the one that runs has ended. */
  #waitingReload: Promise<void> | null = null;
  readonly #environmentBeside: CallsBeside;
  readonly #failOver = new FailOver(monotonicNow);
  readonly #failedOver: FailedOverModels;
  readonly environment: ModelDirectory['environment'];
  readonly chat: ChatModel;

  constructor(parts: Parts) {
    const { environment, shown } = parts;
    this.#parts = parts;
    this.#failedOver = new FailedOverModels(parts);
    this.#environmentBeside = new CallsBeside(shown.limits);
    this.environment = { name: environment.name, ...shown };
    this.chat = {
      name: environment.name,
      listModels: () => environment.listModels(),
      ask: (request) => this.#askSafely(request),
      close: () => this.#close(),
    };
  }

  get seal(): ModelDirectory['seal'] {
    const { sealer } = this.#parts;
    return sealer && ((key, providerId) => sealer.seal(key, providerId));
  }

  find(name: string): ModelSettings | undefined {
    return this.#models.get(name);
  }

  get names(): readonly string[] {
    return [...this.#models.keys()];
  }

  list(): readonly ModelSettings[] {
    return [...this.#models.values()].filter(
      ({ provider_id: id }) => id === null || this.#entries.get(id)?.row.is_enabled,
    );
  }

  /** The provider key of a model: the provider's id, or the name of the environment's provider. */
  keyOf(model: string): string {
    return this.#models.get(model)?.provider_id ?? this.environment.name;
  }

  laneOf(model: string): LaneSettings {
    const key = this.keyOf(model);
    const limits = this.limitsOf(key);
    if (limits.limits_per === 'key') return { name: key, perMinute: limits };
    const own = this.#models.get(model);
    const perMinute = {
      requests_per_minute: own?.requests_per_minute ?? limits.requests_per_minute,
      tokens_per_minute: own?.tokens_per_minute ?? limits.tokens_per_minute,
    };
    return { name: `${key} ${model}`, perMinute };
  }

  breakerKeyOf(model: string): string {
    const fallback = this.#models.get(model)?.fallback;
    return fallback ? `${this.keyOf(model)} ${fallback}` : this.keyOf(model);
  }

  limitsOf(key: string): KeyLimits {
    return this.#entries.get(key)?.row ?? this.environment.limits;
  }

  problemOf(id: string): string | null {
    return this.#entries.get(id)?.problem ?? null;
  }

  /**
   * One reload runs and at most one waits, so a wave of refusals reads the providers twice.
   * A failed one changes nothing.
   */
  reload(): Promise<void> {
    this.#waitingReload ??= this.#reloading
      .then(() => {
        this.#waitingReload = null;
        return this.#load();
      })
      .catch((error) => this.#parts.log.error({ err: error }, 'could not read the providers'));
    this.#reloading = this.#waitingReload;
    return this.#reloading;
  }

  async openForTest(id: string | null): Promise<ChatModel | null> {
    // It stays open after a test.
    if (id === null) return { ...this.#parts.plainEnvironment, close: () => Promise.resolve() };
    await this.reload();
    const entry = this.#entries.get(id);
    const address = entry && this.#addressOf(entry.row);
    return address && 'kind' in address ? this.#parts.opener.open(address) : null;
  }

  async #load(): Promise<void> {
    const { db } = this.#parts;
    const { models, rows } = await listModelsAndProviders(db);
    const entries = new Map<string, Entry>();
    for (const row of rows) {
      const known = this.#entries.get(row.id);
      entries.set(row.id, known?.row.version === row.version ? known : this.#open(row));
    }
    const left = [...this.#entries.values()].filter((entry) => entries.get(entry.row.id) !== entry);
    this.#entries = entries;
    this.#models = new Map(models.map((model) => [model.name, model]));
    for (const entry of left) this.#retire(entry);
  }

  #open(row: ProviderRow): Entry {
    const { opener } = this.#parts;
    const address = this.#addressOf(row);
    const isOpen = row.is_enabled && 'kind' in address;
    const problem = 'problem' in address ? address.problem : null;
    // Only this process may have another SECRETS_KEY, and the page of providers asks another one.
    if (problem) this.#parts.log.warn({ provider: row.id }, problem);
    return {
      row,
      chat: isOpen ? opener.prepare(opener.open(address), row.id) : null,
      beside: new CallsBeside(row),
      problem,
      calls: 0,
      isRetired: false,
    };
  }

  #addressOf(row: ProviderRow): ProviderAddress | { problem: string } {
    const { id, kind, address: baseUrl, sealed_key } = row;
    if (!mayCallAddress(baseUrl)) return { problem: texts.addressRefused };
    const apiKey = sealed_key && (this.#parts.sealer?.open(sealed_key, id) ?? null);
    if (sealed_key && !apiKey) return { problem: texts.keyUnreadable };
    return { kind, baseUrl, apiKey };
  }

  /** Never throws: submissions are reserved, and a probe undecided, until the outcome. */
  async #askSafely(request: ChatRequest): Promise<ChatOutcome> {
    try {
      return await this.#ask(request);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a call to the model threw');
      return { kind: 'broken', reason: texts.notCalled };
    }
  }

  #ask(request: ChatRequest): Promise<ChatOutcome> {
    const model = this.#models.get(request.model);
    const fallback = model?.fallback ? this.#models.get(model.fallback) : undefined;
    if (!model || !fallback || !this.#isUsable(fallback)) return this.#askAt(model, request);
    const provider = this.keyOf(model.name);
    const either = {
      model,
      fallback,
      provider,
      canCall: this.#canCall(provider),
      failOver: this.#failOver,
      failedOver: this.#failedOver,
      log: this.#parts.log,
      askAt: (model: ModelSettings, request: ChatRequest) => this.#askAt(model, request),
    };
    return askEither(either, request);
  }

  #isUsable({ name }: ModelSettings): boolean {
    return this.#canCall(this.keyOf(name)) && !this.#failOver.isRefused(name);
  }

  #canCall(provider: string): boolean {
    return provider === this.environment.name || Boolean(this.#entries.get(provider)?.chat);
  }

  #askAt(model: ModelSettings | undefined, request: ChatRequest): Promise<ChatOutcome> {
    const serviceTier = model?.has_flex ? request.serviceTier : undefined;
    const name = model?.asked_as ?? request.model;
    const isSame = name === request.model && serviceTier === request.serviceTier;
    const asked = isSame ? request : { ...request, model: name, serviceTier };
    return model ? this.#askWithCost(model, asked, request) : this.#askEnvironment(asked);
  }

  #askEnvironment(asked: ChatRequest): Promise<ChatOutcome> {
    return this.#environmentBeside.ask(this.#parts.environment, asked);
  }

  /** The cost is that of the model that answers, by its settings when it is asked. */
  async #askWithCost(
    model: ModelSettings,
    asked: ChatRequest,
    request: ChatRequest,
  ): Promise<ChatOutcome> {
    const { name, provider_id: id } = model;
    const entry = this.#entries.get(id ?? '');
    const outcome =
      id === null
        ? await this.#askEnvironment(asked)
        : await this.#askProvider(model, entry, asked);
    if (outcome.kind === 'provider_refused') {
      // It may have been changed during the call or just before, and a refusal pauses the batch.
      await this.reload();
      const now = this.#models.get(name);
      const isSame = now?.provider_id === id && this.#entries.get(id ?? '') === entry;
      if (now && !isSame) return this.#askAt(now, request);
    }
    if (!outcome.tokens) return outcome;
    const { tokens, tier = asked.serviceTier } = outcome;
    return { ...outcome, tokens: { ...tokens, cost: costOf(model, tokens, tier) } };
  }

  async #askProvider(
    model: ModelSettings,
    entry: Entry | undefined,
    asked: ChatRequest,
  ): Promise<ChatOutcome> {
    if (!entry?.chat) {
      // Clients read it, so it does not name settings.
      const reason = entry?.problem ? texts.providerUnusable : texts.providerOff;
      return { kind: 'provider_refused', reason };
    }
    const outcome = await this.#askEntry(entry, entry.chat, asked);
    if (outcome.kind !== 'answered') return outcome;
    return { ...outcome, by: texts.answeredBy(model.asked_as, entry.row.name) };
  }

  async #askEntry(entry: Entry, chat: ChatModel, asked: ChatRequest): Promise<ChatOutcome> {
    entry.calls++;
    try {
      return await entry.beside.ask(chat, asked);
    } finally {
      entry.calls--;
      this.#closeWhenUnused(entry);
    }
  }

  #retire(entry: Entry): void {
    entry.isRetired = true;
    this.#retired.add(entry);
    this.#closeWhenUnused(entry);
  }

  #closeWhenUnused(entry: Entry): void {
    if (!entry.isRetired || entry.calls > 0) return;
    this.#retired.delete(entry);
    void entry.chat?.close();
  }

  async #close(): Promise<void> {
    const entries = [...this.#entries.values(), ...this.#retired];
    for (const { chat } of entries) await chat?.close();
    await this.#parts.environment.close();
  }
}
