/** An `ilike` pattern for texts that contain the search literally, its wildcards escaped. */
export function containing(search: string): string {
  return `%${search.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
