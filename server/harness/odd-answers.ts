import { cellsOf, type Output } from '@rowmill/contract';

/** The columns that the answers of `wrapped` are read as. */
export const oddColumns: Output[] = [
  { name: 'id', type: 'text' },
  { name: 'count', type: 'integer', may_be_empty: true },
];

/** What models make of what they should answer. */
const wrappers: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => `Here you are:\n${json}`,
  (json) => `{"id": ${json}, "count": 1}`,
  (json) => `\`\`\`\n{"id": ${json}, "count": 1}\n\`\`\``,
  (json) => `Sure! {"id": ${json}, "count": 1}`,
  (json) => `{"ID": ${json}, "the count": 1}`,
  (json) => `{"id": "a", "count": ${json}, "more": ${json}}`,
  (json) => `{"count": ${json}}`,
];

export function wrapped(json: string): string[] {
  return wrappers.map((dress) => dress(json));
}

/** Whether an answer that was stored has a valid value in each column. */
export function isValidOddAnswer(answer: string | null): boolean {
  const [id, count] = cellsOf(answer, oddColumns) ?? [];
  return id !== undefined && id.text.trim() !== '' && /^(-?\d+)?$/.test(count?.text ?? '?');
}
