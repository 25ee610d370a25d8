/**
 * The values of the answer columns in an answer: the JSON object that the model was asked for, perhaps in a Markdown fence.
 * Null when the answer is anything else or lacks a column, and must be shown whole. Used by screens and result files.
 */
export function splitAnswer(answer: string, columns: readonly string[]): string[] | null {
  if (columns.length === 0) return null;
  const found = parseObject(answer);
  if (!found || columns.some((name) => !Object.hasOwn(found, name))) return null;
  return columns.map((name) => textOf(found[name]));
}

/** Why an answer cannot be split: the columns that its object lacks. Null when there is no object at all. */
export function missingColumns(answer: string, columns: readonly string[]): string[] | null {
  const found = parseObject(answer);
  return found && columns.filter((name) => !Object.hasOwn(found, name));
}

function parseObject(answer: string): Record<string, unknown> | null {
  return readObject(answer) ?? readObject(unfence(answer));
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The lines of a Markdown fence. Some models write a sentence before or after it. */
function unfence(answer: string): string {
  const start = answer.indexOf('```');
  const firstLine = answer.indexOf('\n', start);
  const end = answer.lastIndexOf('```');
  return start >= 0 && firstLine >= 0 && firstLine < end ? answer.slice(firstLine, end) : '';
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
