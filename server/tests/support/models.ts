import type { Insertable } from 'kysely';
import type { ModelTable } from '../../src/db/schema.ts';

interface BySize {
  name: string;
  /** A submission for this many tokens, rounded up. */
  priceTokens: number;
  answerTokens: number;
}

/** A model of the environment's provider that costs by size. */
export function modelBySize({ name, priceTokens, answerTokens }: BySize) {
  return model(name, {
    price_tokens: priceTokens,
    answer_tokens: answerTokens,
    options: ['max_tokens'],
  });
}

/** A model of the environment's provider. */
export function model(
  name: string,
  more: Partial<Insertable<ModelTable>> = {},
): Insertable<ModelTable> {
  return {
    name,
    provider_id: null,
    asked_as: name,
    label: name,
    price: 1,
    price_tokens: null,
    answer_tokens: null,
    input_cost: null,
    cached_cost: null,
    output_cost: null,
    options: [],
    offered_to: 'everyone',
    fallback: null,
    position: 1,
    ...more,
  };
}

/** The body of `saveModel` for a model of the environment's provider. */
export const modelToSave = {
  name: 'acme',
  provider_id: null as string | null,
  asked_as: 'fake-small',
  label: 'Acme',
  submissions_per_row: 1,
  input_cost: null,
  cached_cost: null,
  output_cost: null,
  options: [],
  offered_to: 'everyone',
  fallback: null,
  position: 1,
};
