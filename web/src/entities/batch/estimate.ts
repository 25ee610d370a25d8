import type { Batch, Estimate } from '@rowmill/contract';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';
import { describeTimeLeft } from './description.ts';

export type Estimates = NonNullable<Batch['estimate']>;

const words = {
  seconds: describeTimeLeft,
  tokens: (tokens: number) => texts.tokenCount(formatNumber(tokens)),
  submissions: (count: number) => texts.submissionCount(formatNumber(count)),
} as const;

/** The estimates in words, the time first. The range is null when it is exact. */
export function estimateFacts(estimates: Estimates) {
  return (['seconds', 'tokens', 'submissions'] as const).flatMap((what) => {
    const estimate = estimates[what];
    return estimate
      ? {
          what,
          name: texts.estimated[what],
          expected: words[what](estimate.expected),
          range: rangeOf(what, estimate),
        }
      : [];
  });
}

function rangeOf(what: keyof Estimates, { low, high }: Estimate): string | null {
  const [from, to] =
    what === 'seconds'
      ? [words.seconds(low), words.seconds(high)]
      : [formatNumber(low), formatNumber(high)];
  return from === to ? null : texts.range(from, to);
}
