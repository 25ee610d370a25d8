/**
 * The values of the answer columns in a stored answer: the JSON object that the model was asked for, perhaps in a Markdown
 * fence. Null when the answer is anything else and must be shown whole. Used by the screen and the result files.
 */
export function splitAnswer(answer: string, columns: readonly string[]): string[] | null {
  const found = columns.length > 0 ? parseObject(answer) : null;
  if (!found || !columns.some((name) => Object.hasOwn(found, name))) return null;
  return columns.map((name) => (Object.hasOwn(found, name) ? textOf(found[name]) : ''));
}

function parseObject(answer: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(answer.trim().replace(/^```\w*\r?\n([\s\S]*)\n```$/, '$1'));
    return value && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
