import * as texts from '../../texts/clients.ts';

/** A count as a person writes it, with or without marks between the thousands. Empty is no number; anything else is refused. */
export function wholeNumber(text: string): number | null {
  const bare = text.replace(/[\s,.'’]/g, '');
  if (bare === '') return null;
  if (!/^\d{1,10}$/.test(bare)) throw new Error(texts.notWhole);
  return Number(bare);
}
