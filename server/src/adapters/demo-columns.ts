import { type AnswerColumn, asColumn, type Output } from '@rowmill/contract';

/**
 * Finds values in the prompt by simple rules, so that answer columns can be tried without a key.
 * The same prompt always gets the same values.
 */
export function demoValues(prompt: string, outputs: readonly Output[]): Record<string, unknown> {
  const columns = outputs.map(asColumn);
  return Object.fromEntries(columns.map((column) => [column.name, demoValue(prompt, column)]));
}

const shownCharacters = 80;

function demoValue(prompt: string, column: AnswerColumn): unknown {
  const { name, type, options = [] } = column;
  const luck = hashOf(`${name} ${prompt}`);
  switch (type) {
    case 'text':
      return textFor(prompt, column);
    case 'integer':
    case 'number':
      return numberFor(prompt, column, luck);
    case 'boolean':
      return moodOf(prompt) === 0 ? luck % 2 === 0 : moodOf(prompt) > 0;
    case 'choice':
      return (
        mentioned(prompt, options)[0] ?? byMood(prompt, options) ?? options[luck % options.length]
      );
    case 'choices': {
      const found = mentioned(prompt, options);
      return found.length > 0 ? found : [options[luck % options.length]];
    }
    case 'date':
      return (
        /\b\d{4}-\d\d-\d\d\b/.exec(prompt)?.[0] ??
        `2026-01-${`${1 + (luck % 28)}`.padStart(2, '0')}`
      );
  }
}

function textFor(prompt: string, { name, description = '' }: AnswerColumn): string {
  const email = /(?<![^\s@<>"',;:()])[^\s@<>"',;:()]{1,64}@[^\s@<>"',;:()]{1,250}\.\w+/.exec(
    prompt,
  )?.[0];
  if (email && /e-?mail/i.test(`${name} ${description}`)) return email;
  const line = prompt.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return `Demo ${name} (no AI): ${line.slice(0, shownCharacters).toWellFormed()}`;
}

/** Within "1 to 5" of the description, else the first number of the prompt, else up to 100. */
function numberFor(prompt: string, column: AnswerColumn, luck: number): number {
  const [, from, to] =
    /(\d{1,6})\s*(?:to|-|–|and)\s*(\d{1,6})/.exec(column.description ?? '') ?? [];
  if (from && to && Number(from) < Number(to))
    return Number(from) + (luck % (Number(to) - Number(from) + 1));
  const pattern =
    column.type === 'integer' ? /(?<![\d.,])\d{1,9}(?![\d.,])/ : /\d{1,9}(?:\.\d{1,4})?/;
  return Number(pattern.exec(prompt)?.[0] ?? 1 + (luck % 100));
}

function mentioned(prompt: string, options: readonly string[]): string[] {
  const text = ` ${prompt.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return options.filter((option) =>
    text.includes(
      ` ${option
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
    ),
  );
}

const goodWords =
  /\b(?:good|great|excellent|love|loved|perfect|happy|fast|easy|thanks?|recommend\w*)\b/gi;
const badWords =
  /\b(?:bad|poor|broken?|broke|late|slow|never|terrible|awful|refund|leaks?|disappoint\w*)\b/gi;

/** Above 0 for more good words than bad ones. */
function moodOf(prompt: string): number {
  return (prompt.match(goodWords)?.length ?? 0) - (prompt.match(badWords)?.length ?? 0);
}

function byMood(prompt: string, options: readonly string[]): string | undefined {
  const mood = moodOf(prompt);
  const wanted =
    mood > 0
      ? /^(?:positive|good|happy)/i
      : mood < 0
        ? /^(?:negative|bad|unhappy)/i
        : /^(?:neutral|mixed)/i;
  return options.find((option) => wanted.test(option));
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
