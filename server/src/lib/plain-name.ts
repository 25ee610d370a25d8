const address = /www\.|[/\\:@]|\.(?=\S)/gi;
/** The point before the ending of a sheet stays: no address ends like this. */
const addressOrFile =
  /www\.|[/\\:@]|\.(?=\S)(?!(?:xlsx|xlsm|jsonl|ndjson|csv|tsv|tab|txt)(?![^\s)]))/gi;

/** A name in our emails. Strangers choose names, and mail programs turn addresses into links. */
export function plainName(name: string): string {
  return plain(name, { removed: address, longest: 40 }) || 'there';
}

/** The same for the name of a batch, which is often that of its file. */
export function plainFileName(name: string): string {
  return plain(name, { removed: addressOrFile, longest: 80 }) || 'without a name';
}

function plain(name: string, { removed, longest }: { removed: RegExp; longest: number }): string {
  const words = name.normalize('NFKC').replace(removed, ' ').split(/\s+/).filter(Boolean).join(' ');
  const characters = Array.from(words);
  if (characters.length <= longest) return words;
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}
