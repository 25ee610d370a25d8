export type Answer = readonly [question: string, answer: string];

/** The answers that hold every word of a search, in any order, in question or answer. */
export function searchAnswers(answers: readonly Answer[], search: string): readonly Answer[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return answers.filter((texts) => {
    const text = plain(texts.join(' '));
    return words.every((word) => text.includes(word));
  });
}

/** Without case, accents and hyphens, so that “email” finds “e-mail”; quotes and commas part words. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}|[-‐‑]/gu, '')
    .replace(/[“”"‘’',;:!?()]/g, ' ')
    .toLowerCase();
}
