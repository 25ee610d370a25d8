/** An `ilike` pattern for texts that contain the search literally, its wildcards escaped. */
export function containing(search: string): string {
  return `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** How much a search looks at, so that its time does not grow with what a person stores. */
export const searched = {
  /** From the start of each text. */
  characters: 1_000,
  /** Of the newest audit entries, and of the names of the newest batches. */
  newest: 10_000,
  /** Of the newest prompts: the database fetches each long text from where it keeps them. */
  prompts: 2_000,
  /** Of the newest accounts of the installation. */
  people: 50_000,
} as const;
