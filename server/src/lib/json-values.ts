/** Null when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Counts what begins or separates values, without parsing, which may take a tenth of a second. */
export function hasMoreValues(json: string, most: number): boolean {
  if (json.length <= most) return false;
  let count = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === '\\') at++;
    else if (character === '"') isText = !isText;
    else if (!isText && ',[{'.includes(character) && ++count > most) return true;
  }
  return false;
}

/**
 * Drops keys named `toString` from parsed JSON. They hide the method with which any object can be
 * compared or written into a text: checks of a length would throw at `{"length":{"toString":0}}`.
 */
export function withoutTextMethods<T>(json: T): T {
  const open: unknown[] = [json];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, 'toString')) Reflect.deleteProperty(value, 'toString');
    for (const inner of Object.values(value)) open.push(inner);
  }
  return json;
}
