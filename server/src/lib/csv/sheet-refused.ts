export type RefusalKind = 'too_large' | 'unreadable' | 'not_a_sheet';

/** A file that cannot become a sheet. The message is for the person who sent it. */
export class SheetRefused extends Error {
  override name = 'SheetRefused';
  kind: RefusalKind;
  line: number | null;

  constructor(kind: RefusalKind, message: string, line: number | null = null) {
    super(line === null ? message : `Line ${inWords(line)}: ${message}`);
    this.kind = kind;
    this.line = line;
  }
}

export function inWords(count: number): string {
  return count.toLocaleString('en');
}
