import type { Tokens } from '@rowmill/contract';
import type { CallTokens } from '../../engine/port.ts';

/** Tokens as the tables have them; absent or null when the provider counts none. */
interface TokenColumns {
  input_tokens?: number | null;
  cached_tokens?: number | null;
  output_tokens?: number | null;
  reasoning_tokens?: number | null;
}

/** With their cost, which is null when it is unknown. */
export function tokenColumns(
  tokens: CallTokens | null | undefined,
): TokenColumns & { cost: number | null } {
  if (!tokens) return { cost: tokens === null ? null : 0 };
  const { input, cached, output, reasoning, cost = null } = tokens;
  return {
    input_tokens: input,
    cached_tokens: cached,
    output_tokens: output,
    reasoning_tokens: reasoning,
    cost,
  };
}

export function tokensOf(row: TokenColumns): Tokens | null {
  const { input_tokens: input, cached_tokens: cached, output_tokens: output } = row;
  if (typeof input !== 'number' && typeof output !== 'number') return null;
  return {
    input: input ?? 0,
    cached: cached ?? 0,
    output: output ?? 0,
    reasoning: row.reasoning_tokens ?? 0,
  };
}
