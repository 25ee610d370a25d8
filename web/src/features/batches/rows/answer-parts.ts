export interface AnswerPart {
  name: string;
  value: string;
}

/** An answer split into the columns that were asked for, or null when it is not an object with any of them. */
export function answerParts(answer: string, outputs: readonly string[]): AnswerPart[] | null {
  const found = outputs.length > 0 ? objectIn(answer) : null;
  if (!found || !outputs.some((name) => Object.hasOwn(found, name))) return null;
  return outputs.map((name) => ({
    name,
    value: Object.hasOwn(found, name) ? textOf(found[name]) : '',
  }));
}

/** Models like to wrap JSON in a fence. */
function objectIn(answer: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(answer.trim().replace(/^```\w*\n([\s\S]*)\n```$/, '$1'));
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
