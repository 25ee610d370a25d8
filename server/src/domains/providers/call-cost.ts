import type { Tokens } from '@rowmill/contract';
import type { ModelSettings } from './port.ts';

type Costs = Pick<
  ModelSettings,
  'input_cost' | 'cached_cost' | 'output_cost' | 'flex_cost_percent'
>;

/**
 * In trillionths of the currency, because costs are millionths of it for a million tokens. Null:
 * the model has no costs.
 */
export function costOf(
  { input_cost, cached_cost, output_cost, flex_cost_percent }: Costs,
  { input, cached, output }: Tokens,
  tier?: string,
): number | null {
  if (input_cost === null || output_cost === null) return null;
  const cost =
    (input - cached) * input_cost + cached * (cached_cost ?? input_cost) + output * output_cost;
  return tier === 'flex' ? Math.round((cost * flex_cost_percent) / 100) : cost;
}
