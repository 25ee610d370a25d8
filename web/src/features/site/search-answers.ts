import { normalised } from '@rowmill/contract';

export type Answer = readonly [question: string, answer: string];

/** Answers that contain every word of a search, in any order. */
export function searchAnswers(answers: readonly Answer[], search: string): readonly Answer[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return answers.filter((texts) => {
    const text = plain(texts.join(' '));
    return words.every((word) => text.includes(word));
  });
}

/** The address of an answer within the page: “What is a receipt?” is at `what-is-a-receipt`. */
export function anchorOf(question: string): string {
  return plain(question).trim().replaceAll(/\s+/g, '-');
}

/** Ignores case, accents and hyphens, so that “email” finds “e-mail”. */
function plain(text: string): string {
  return normalised(text, 'NFKD')
    .replace(/\p{M}|[-‐‑]/gu, '')
    .replace(/[“”"‘’',;:!?()]/g, ' ')
    .toLowerCase();
}
