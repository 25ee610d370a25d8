import * as texts from '../texts/lib.ts';
import { formatNumber } from './format.ts';

/** How many submissions a pack holds, where its name does not tell already. */
export function countBeside(name: string, count: number): string | null {
  return name.replace(/\D/g, '') === String(count) ? null : texts.submissions(formatNumber(count));
}
