/** A number of JSON with more digits than a JavaScript number keeps. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Inside a nested value. Without `rawJSON`, in a browser of before 2025, it is shown rounded. */
  toJSON(): unknown {
    const { rawJSON } = JSON as { rawJSON?: (source: string) => unknown };
    return rawJSON ? rawJSON(this.source) : Number(this.source);
  }
}

/** Numbers with fewer characters are kept exactly by JSON.parse. */
const longNumber = /[\d.]{16}/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g;

/** Undefined when the text is not JSON, or is nested too deeply. */
function parseJson(text: string): unknown {
  if (isDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return longNumber.test(text) ? parseExactly(text) : value;
  } catch {
    return undefined;
  }
}

/** Real answers are flatter. How much deeper JSON.parse goes depends on the engine. */
const maximumDepth = 100;

function isDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length && depth <= maximumDepth; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  return depth > maximumDepth;
}

/** Parses numbers as strings with a mark, which strings get too. */
function parseExactly(text: string): unknown {
  const marked = text.replace(stringOrNumber, (token: string, colon?: string) => {
    if (!token.startsWith('"')) return `"n${token}"`;
    return colon === undefined ? `"s${token.slice(1)}` : token;
  });
  return JSON.parse(marked, (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return value.startsWith('n') ? new ExactNumber(value.slice(1)) : value.slice(1);
  });
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** How many braces are tried as the start of an object. Real answers have fewer. */
const maximumTries = 20;

/** A value of another object, which is no answer of its own. */
const isNested = /[:,[]\s{0,20}$/;

/**
 * The JSON objects in an answer, the last one first: the whole text, its only element or value, or
 * in a Markdown fence or between sentences. A model that thinks aloud ends with its answer.
 */
export function objectsIn(answer: string): JsonObject[] {
  const whole = parseJson(answer);
  if (isObject(whole)) return [whole, ...onlyObjectOf(Object.values(whole))];
  if (Array.isArray(whole)) return onlyObjectOf(whole);
  const found: JsonObject[] = [];
  let start = answer.indexOf('{');
  let brokenUntil = 0;
  for (let tries = 0; start >= 0 && tries < maximumTries; tries++) {
    const end = endOfObject(answer, start);
    const value = end === null ? undefined : parseJson(answer.slice(start, end));
    const before = answer.slice(Math.max(0, start - 21), start);
    if (!isObject(value) && /^\{\s{0,20}"/.test(answer.slice(start, start + 22)))
      brokenUntil = Math.max(brokenUntil, end ?? answer.length);
    else if (isObject(value) && !(start < brokenUntil && isNested.test(before)))
      found.unshift(value);
    start = answer.indexOf('{', isObject(value) ? (end ?? start) : start + 1);
  }
  return found;
}

function onlyObjectOf(values: readonly unknown[]): JsonObject[] {
  const [only] = values;
  return values.length === 1 && isObject(only) ? [only] : [];
}

/** After the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '\\' && isQuoted) at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return null;
}

function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  );
}
