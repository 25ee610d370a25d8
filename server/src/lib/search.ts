/** An `ilike` pattern for texts that contain the search literally, its wildcards escaped. */
export function containing(search: string): string {
  return `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/**
 * For texts with A to Z in lower case. The `like` pattern `may` finds every text with the search in
 * any case, and perhaps others. If `isExact`, those that contain the small search are the same.
 */
export function foldedPatterns(search: string): { may: string; isExact: boolean } {
  let may = '';
  let isExact = true;
  for (const character of search.toLowerCase()) {
    const literal = character.replace(/[\\%_]/, '\\$&');
    isExact &&= isSameInAnyCase(character);
    // The Kelvin sign and the dotted capital I become these two.
    const isLetterOfOthers = character === 'k' || character === 'i';
    if (character === dotAbove) may += '%';
    else may += isSameInAnyCase(character) && !isLetterOfOthers ? literal : '_';
  }
  return { may: `%${may}%`, isExact };
}

/** A dotted capital I becomes two characters: a small one and this. */
const dotAbove = '\u0307';

/** Whether no other character than its ASCII capital has this one as its lower case. */
function isSameInAnyCase(character: string): boolean {
  if (character < '\u0080') return true;
  return character !== dotAbove && character.toLowerCase() === character.toUpperCase();
}

/** How far a search looks, so that its time does not grow with what a person stores. */
export const searched = {
  /** From the start of each text. */
  characters: 1_000,
  /** The newest audit entries. */
  newest: 10_000,
  /** The names of the newest batches. */
  names: 5_000,
  /** The newest people. An id or a whole address is found among all. */
  people: 50_000,
  /** The newest prompts and reasons. Long texts are stored apart and take longer to read. */
  prompts: 1_000,
  /** Whose audit entries are looked up one by one. */
  peopleByIndex: 20,
} as const;
