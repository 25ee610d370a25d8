import type { ChatModelChoice } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';

const rememberedMilliseconds = 5 * 60_000;
const retryMilliseconds = 10_000;
const listedAtMost = 200;

interface Remembered {
  ids: string[];
  until: number;
}

/** What a provider offers changes rarely, and every quote asks. One entry for each provider that this process has. */
const remembered = new WeakMap<Context['chat'], Remembered>();

/** The usual model first. */
export async function listModels(ctx: Context): Promise<{ models: ChatModelChoice[] }> {
  const ids = await offered(ctx);
  const usual = ctx.config.chat.model;
  const ordered = usual ? [usual, ...ids.filter((id) => id !== usual)] : ids;
  return {
    models: ordered.map((id) => ({
      id,
      submissions_per_row: priceOf(ctx, id),
      is_demo: ctx.chat.name === 'demo',
    })),
  };
}

export function priceOf(ctx: Context, model: string): number {
  return ctx.config.chat.prices[model] ?? 1;
}

/** A model that the provider does not offer is refused before anything is asked; without a list, the provider decides. */
export async function chooseModel(ctx: Context, wanted: string | undefined): Promise<string> {
  const { models } = await listModels(ctx);
  const [usual] = models;
  if (!wanted)
    return (
      usual?.id ??
      refuse('model_failed', { message: 'The provider of the chat model offers none just now.' })
    );
  const isKnown = models.length === 0 || models.some(({ id }) => id === wanted);
  if (!isKnown)
    refuse('invalid_input', { fields: { 'query.model': `There is no model ${wanted} here.` } });
  return wanted;
}

async function offered(ctx: Context): Promise<string[]> {
  const now = ctx.clock.now().getTime();
  const known = remembered.get(ctx.chat);
  if (known && known.until > now) return known.ids;
  const ids = await ctx.chat.listModels().then(
    (models) => models.map(({ id }) => id).slice(0, listedAtMost),
    () => null,
  );
  const until = now + (ids ? rememberedMilliseconds : retryMilliseconds);
  remembered.set(ctx.chat, { ids: ids ?? known?.ids ?? [], until });
  return ids ?? known?.ids ?? [];
}
