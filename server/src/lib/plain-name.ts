const longest = 40;

/** A name in our emails. Strangers choose names, and mail programs turn addresses into links. */
export function plainName(name: string): string {
  const words = name
    .normalize('NFKC')
    .replace(/www\.|[/\\:@]|\.(?=\S)/gi, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ');
  const characters = Array.from(words);
  if (characters.length <= longest) return words || 'there';
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}
