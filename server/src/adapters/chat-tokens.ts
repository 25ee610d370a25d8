import type { Tokens } from '@rowmill/contract';

/** No model reads or writes as much in one call. More is a mistake of the provider. */
const mostTokens = 20_000_000;

/** The `usage` of OpenAI's chat protocol; undefined unless both input and output are counted. */
export function readTokens(usage: unknown): Tokens | undefined {
  const counted = usage as {
    prompt_tokens?: unknown;
    completion_tokens?: unknown;
    total_tokens?: unknown;
    prompt_cache_hit_tokens?: unknown;
    cached_tokens?: unknown;
    prompt_tokens_details?: { cached_tokens?: unknown } | null;
    completion_tokens_details?: { reasoning_tokens?: unknown } | null;
  } | null;
  if (typeof counted !== 'object' || counted === null) return undefined;
  const { prompt_tokens: input, completion_tokens: written, total_tokens: total } = counted;
  const reasoning = counted.completion_tokens_details?.reasoning_tokens;
  const apart = tokensApart(total, input, written);
  return tokensOf({
    input,
    // DeepSeek and Moonshot have names of their own.
    cached:
      counted.prompt_tokens_details?.cached_tokens ??
      counted.prompt_cache_hit_tokens ??
      counted.cached_tokens,
    output: apart > 0 ? Number(written) + apart : written,
    reasoning: Math.max(tokenCount(reasoning) ?? 0, apart),
  });
}

/**
 * Reasoning that is not counted as output. Only the total tells: xAI states it beside the output,
 * Google’s OpenAI-compatible address nowhere.
 */
function tokensApart(...counts: readonly unknown[]): number {
  const [total = 0, input = total, written = total] = counts.map(tokenCount);
  return Math.max(0, total - input - written);
}

/** Nothing that a provider sends is trusted to be a count. */
function tokensOf(counts: Record<keyof Tokens, unknown>): Tokens | undefined {
  const input = tokenCount(counts.input);
  const output = tokenCount(counts.output);
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    cached: Math.min(tokenCount(counts.cached) ?? 0, input),
    output,
    reasoning: Math.min(tokenCount(counts.reasoning) ?? 0, output),
  };
}

/** Undefined unless it can be a number of tokens. */
export function tokenCount(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens
    ? (value as number)
    : undefined;
}
