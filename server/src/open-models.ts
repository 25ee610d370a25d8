import { withAnswerColumns } from './adapters/answer-columns.ts';
import { demoChat } from './adapters/demo-chat.ts';
import { findLocalChat } from './adapters/find-local-chat.ts';
import { withFormatProbe } from './adapters/format-probe.ts';
import { providerChat } from './adapters/provider-chat.ts';
import type { Config } from './config/config.ts';
import type { Context } from './core/context.ts';
import { storedFormats } from './domains/prompts/model-formats.ts';
import { ProviderRegistry } from './domains/providers/registry.ts';
import { monotonicNow } from './lib/clock.ts';
import { safeLookup } from './lib/outside-address.ts';
import { Sealer } from './lib/sealed-text.ts';

/** The environment's provider and those that operators have added. */
export async function openModels(config: Config, parts: FormatParts): Promise<ProviderRegistry> {
  const { chat: environment, plain } = await openChat(config, parts);
  const { kind, apiKey, baseUrl, ...chat } = config.chat;
  const limits = {
    concurrency: chat.concurrency,
    requests_per_minute: chat.requestsPerMinute,
    tokens_per_minute: chat.tokensPerMinute,
    limits_per: chat.limitsPer,
  };
  const models = new ProviderRegistry({
    environment,
    plainEnvironment: plain,
    shown: { kind, address: shownAddress(baseUrl), hasKey: apiKey !== null, limits },
    sealer: config.secretsKey ? new Sealer(config.secretsKey) : null,
    opener: {
      open: (provider) => providerChat({ ...provider, lookup: safeLookup, now: monotonicNow }),
      prepare: (chat, provider) =>
        withAnswerColumns(withFormatProbe(chat, formatsOf({ ...parts, provider }))),
    },
    db: parts.db,
    clock: parts.clock,
    log: parts.log,
  });
  await models.reload();
  return models;
}

/** A notice announces a change at once; the timer finds changes whose notice was lost. */
export async function followChanges({ models, notices }: Context): Promise<Disposable> {
  const unsubscribe = notices.subscribe((notice) => {
    if (notice.providers) void models.reload();
  });
  const timer = setInterval(() => void models.reload(), lostNoticeMilliseconds);
  // A change between the first look and the subscription.
  await models.reload();
  return {
    [Symbol.dispose]() {
      unsubscribe();
      clearInterval(timer);
    },
  };
}

const lostNoticeMilliseconds = 30_000;

/**
 * The configured provider, else a model on this machine, else the demo model. `plain` has nothing
 * that helps with answers in columns.
 */
async function openChat({ chat }: Config, parts: FormatParts) {
  const baseUrl = chat.baseUrl ?? (await findLocalChat());
  if (!baseUrl || baseUrl === 'demo') {
    // A model that is named without an address is expected on this machine.
    const plain = demoChat({ isPaced: chat.isDemoPaced, alias: baseUrl && chat.model });
    return { plain, chat: withAnswerColumns(plain) };
  }
  const plain = providerChat({
    kind: chat.kind,
    baseUrl,
    apiKey: chat.apiKey,
    now: monotonicNow,
  });
  const formats = formatsOf({ ...parts, provider: plain.name });
  return { plain, chat: withAnswerColumns(withFormatProbe(plain, formats)) };
}

type FormatParts = Omit<Parameters<typeof storedFormats>[0], 'provider'>;

function formatsOf(parts: Parameters<typeof storedFormats>[0]) {
  return { formats: storedFormats(parts), now: monotonicNow };
}

/** A query may hold a secret. */
function shownAddress(baseUrl: string | null): string {
  return baseUrl && URL.canParse(baseUrl) ? baseUrl.replace(/\?.*$/, '') : '';
}
